/** The style of the HTML report: light and dark, from a phone to a wide screen, without a font or picture from outside. */
export const reportStyle: string = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #fff; --line: #dfe4ea; --card: #f7f9fb;
  --good: #1a7f4b; --bad: #c62f3b; --waiting: #b26a00; --neutral: #68778a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa7b6; --paper: #12161c; --line: #2c3540; --card: #1a2029;
  --good: #4cc38a; --bad: #ff6b74; --waiting: #e5a54b; --neutral: #8b9bb0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 16px; max-width: 900px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
header { border-left: 6px solid var(--neutral); padding: 4px 0 4px 14px; margin: 8px 0 24px; }
header.safe { border-color: var(--good); } header.unsafe { border-color: var(--bad); } header.could_not_run { border-color: var(--waiting); }
h1 { margin: 0; font-size: 30px; } header p { margin: 4px 0; } .facts, .note { color: var(--soft); font-size: 14px; }
h2 { font-size: 20px; margin: 28px 0 8px; }
.failure { border: 1px solid var(--line); border-top: 4px solid var(--bad); border-radius: 6px; background: var(--card);
  padding: 4px 16px 14px; margin: 0 0 20px; } .failure h2 { margin: 12px 0 4px; }
.saw { color: var(--soft); font-size: 14px; } .failure .saw { color: var(--bad); font-size: 16px; }
dt { font-weight: 600; margin-top: 8px; } dd { margin: 0; } .link { color: var(--soft); font-size: 14px; }
.timeline { overflow-x: auto; margin-top: 14px; } svg { display: block; width: 100%; min-width: 460px; height: auto; }
svg text { fill: var(--ink); font-size: 10px; } svg .lane, svg .axis, svg .outcome { fill: var(--soft); }
svg rect.good { fill: var(--good); } svg rect.bad { fill: var(--bad); } svg rect.waiting { fill: var(--waiting); } svg rect.neutral { fill: var(--neutral); }
svg line { stroke: var(--neutral); stroke-dasharray: 3 3; } svg line.bad { stroke: var(--bad); } svg line.good { stroke: var(--good); }
svg .mark.bad { fill: var(--bad); } svg .mark.good { fill: var(--good); }
table { border-collapse: collapse; width: 100%; } td { border-top: 1px solid var(--line); padding: 8px 6px; vertical-align: top; }
td.mark { width: 24px; font-weight: 700; color: var(--neutral); } td.time { text-align: right; white-space: nowrap; color: var(--soft); font-size: 14px; }
tr.passed .mark { color: var(--good); } tr.failed .mark { color: var(--bad); } tr.unseen .mark { color: var(--waiting); }
a { color: inherit; }
`
