import type { ProverReport, ScenarioResult } from '../report.ts'
import { escapeMarkup } from './escape-markup.ts'
import { reportStyle } from './report-style.ts'
import { timelineSvg } from './timeline-svg.ts'

/** The report as one page that needs nothing but itself. */
export function htmlReport(report: ProverReport): string {
  const { scenarios, target, provider, verdict } = report
  const failures = scenarios.filter(({ status }) => status === 'failed')
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // Nothing may be fetched, whatever a text of the report holds.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeMarkup(`${headlineOf(report)}: ${target}`)}</title>`,
    `<style>${reportStyle}</style>`,
    '</head>',
    '<body>',
    `<header class="${verdict}"><h1>${headlineOf(report)}</h1>`,
    `<p>${escapeMarkup(summaryOf(report))}</p>`,
    `<p class="facts">${escapeMarkup(target)} · ${escapeMarkup(provider)} · ${report.startedAt.slice(0, 19).replace('T', ' ')} UTC · ${(report.milliseconds / 1000).toFixed(1)} s · seed ${escapeMarkup(report.seed)}</p></header>`,
    ...failures.map(failureSection),
    scenarios.length > 0 ? scenarioTable(scenarios) : '',
    blindSpots(report),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function headlineOf({ verdict }: ProverReport): string {
  switch (verdict) {
    case 'safe':
      return 'Safe'
    case 'unsafe':
      return 'Not safe'
    case 'could_not_run':
      return 'Could not run'
  }
}

/** The verdict in a sentence. */
export function summaryOf({ scenarios, why }: ProverReport): string {
  if (why !== undefined) return why
  const of = (status: ScenarioResult['status']): number => scenarios.filter((one) => one.status === status).length
  const parts = [
    `${of('passed')} passed`,
    `${of('failed')} failed`,
    ...(of('unseen') > 0 ? [`${of('unseen')} seen only from outside`] : []),
    ...(of('skipped') > 0 ? [`${of('skipped')} not run`] : []),
  ]
  return `${scenarios.length} scenarios: ${parts.join(', ')}.`
}

function failureSection(result: ScenarioResult): string {
  const { name, promise, saw, cause } = result
  return [
    `<section class="failure" id="${escapeMarkup(name)}">`,
    `<h2>${escapeMarkup(name)}</h2>`,
    `<p>${escapeMarkup(promise)}</p>`,
    `<p class="saw">${escapeMarkup(saw)}</p>`,
    cause === undefined
      ? ''
      : `<dl><dt>Likely cause</dt><dd><b>${escapeMarkup(cause.title)}.</b> ${escapeMarkup(cause.why)}</dd>` +
        `<dt>Cure</dt><dd>${escapeMarkup(cause.cure)} <span class="link">${escapeMarkup(cause.link)}</span></dd></dl>`,
    `<div class="timeline">${timelineSvg(result)}</div>`,
    '</section>',
  ].join('\n')
}

const marks = { passed: '✓', failed: '✗', unseen: '◐', skipped: '–' } as const

function scenarioTable(scenarios: readonly ScenarioResult[]): string {
  const rows = scenarios.map(
    ({ name, status, promise, saw, milliseconds }) =>
      `<tr class="${status}"><td class="mark" aria-label="${status}">${marks[status]}</td>` +
      `<td><b>${status === 'failed' ? `<a href="#${escapeMarkup(name)}">${escapeMarkup(name)}</a>` : escapeMarkup(name)}</b>` +
      `<div>${escapeMarkup(promise)}</div><div class="saw">${escapeMarkup(saw)}</div></td>` +
      `<td class="time">${status === 'skipped' ? '' : `${(milliseconds / 1000).toFixed(1)} s`}</td></tr>`,
  )
  return `<h2>All scenarios</h2><table>${rows.join('\n')}</table>`
}

function blindSpots({ blindSpots }: ProverReport): string {
  if (blindSpots.length === 0) return ''
  return `<h2>What was not seen</h2><ul>${blindSpots.map((spot) => `<li>${escapeMarkup(spot)}</li>`).join('')}</ul>`
}
