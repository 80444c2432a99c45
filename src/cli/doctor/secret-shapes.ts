/** Things that are often put where a webhook's secret belongs, by how they begin. */
const otherThings: readonly (readonly [RegExp, string])[] = [
  [/^(?:sk|rk|pk)_(?:test|live)_/, 'an API key'],
  [/^we_[A-Za-z0-9]+$/, "an endpoint's id"],
  [/^(?:gh[pousr]_|github_pat_)/, 'an access token of GitHub'],
  [/^glpat-/, 'an access token of GitLab'],
  [/^xox[abeprs]-|^xapp-/, 'an access token of Slack'],
  [/^shpat_|^shpca_/, 'an access token of Shopify'],
  [/^AC[0-9a-f]{32}$/, "an account's id of Twilio"],
  [/^SG\.[\w-]{16,}\./, 'an API key of SendGrid'],
  [/^\d{6,}:[\w-]{30,}$/, "a bot's token of Telegram"],
  [/^sk-[\w-]{20,}$/, 'an API key'],
  [/^https?:\/\//, 'an address'],
]

/** What a value is instead of a webhook's secret. Paystack signs with its API key. */
export function otherThingOf(value: string, variable: string): string | undefined {
  if (/^paystack/i.test(variable)) return undefined
  return otherThings.find(([shape]) => shape.test(value))?.[1]
}

const ofTests = [
  /^(?:sk|rk|pk)_test_/,
  /^rzp_test_/,
  /^FLWSECK_TEST-/i,
  /^test_[A-Za-z0-9]{20,}$/,
  /^sandbox_/,
  /^pdl_sdbx_/,
  /^sandbox-sq/,
]
const ofLive = [/^(?:sk|rk|pk)_live_/, /^rzp_live_/, /^live_[A-Za-z0-9]{20,}$/, /^pdl_live_/]

/** Which side of a provider a value is from, where its form says so. */
export function sideOf(value: string): 'test' | 'live' | undefined {
  if (ofTests.some((shape) => shape.test(value))) return 'test'
  return ofLive.some((shape) => shape.test(value)) ? 'live' : undefined
}

/** What `stripe listen` prints: dashboards make 32 characters, the command line 64 hexadecimal digits. */
export function isOfStripeCommandLine(value: string): boolean {
  return /^whsec_[0-9a-f]{64}$/.test(value)
}

const placeholders =
  /^(?:(?:my|our|the|a|your|some|test|dev|dummy|fake|demo|example|sample|webhook|signing|super|stripe|github|shopify|secret|secrets|token|key|changeme|change|me|please|replace|this|with|here|todo|tbd|none|null|undefined|placeholder|password|foo|bar|baz|xxx+|abc|123+)[\s._-]*)+$/i

/** Something that stands where a secret should be put. */
export function isPlaceholder(value: string): boolean {
  const core = value
    .trim()
    .replace(/^["']|["']$/g, '')
    .replace(/^(?:v1,)?whsec_/i, '')
  if (/^<.*>$|^\{\{?.*\}\}?$|^\$\{?\w+\}?$|\.\.\.|…/.test(core)) return true
  return placeholders.test(core) || /^(.)\1*$/u.test(core)
}

/** What is around a value that nobody meant to be part of it. */
export function wrappingOf(value: string): string | undefined {
  if (/^\s|\s$/.test(value)) return 'spaces or a line break around it'
  if (/\\[rn]$/.test(value)) return 'the two characters \\n at its end'
  if (/^(["'`]).*\1$/s.test(value)) return 'quotation marks around it'
  return /^\uFEFF|[\u200B-\u200D\u2060]/.test(value) ? 'an invisible character in it' : undefined
}
