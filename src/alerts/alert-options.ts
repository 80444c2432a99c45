import {
  type AlertRules,
  type NumberRange,
  optionsOfRules,
  overallRules,
  type RuleName,
  ruleNames,
} from './rule-options.ts'

/** Who is told when something is wrong, and when something counts as wrong. */
export type AlertOptions = {
  /** The name of a target of this inbox, or several. */
  readonly to: string | AlertTarget | readonly (string | AlertTarget)[]
  /** How often to look. Default 60. */
  readonly everySeconds?: number
  /** An alert is over once nothing of it was seen for so long. Default 10. */
  readonly resolveAfterMinutes?: number
  /** Says it again while it goes on, until somebody acknowledges it. Default: never. */
  readonly remindHours?: number
  /** `false` switches a rule off; numbers change its limits. Default: all of them. */
  readonly rules?: AlertRules
}

/** Where alerts go: a target of the inbox, and in which form. */
export type AlertTarget = {
  readonly target: string
  /** `json` (default): an `AlertMessage`. `slack`: what incoming webhooks of Slack, and those who speak like it, understand. */
  readonly format?: AlertFormat
}

/** How an alert is written down. */
export type AlertFormat = 'json' | 'slack'

/** The limits of one rule, every default in place. */
export type RuleLimits = {
  readonly numbers: Readonly<Record<string, number>>
  /** Sources that the rule leaves alone. */
  readonly except: ReadonlySet<string>
}

/** The options with every default in place. A rule that is off is not there. */
export type AlertSettings = {
  readonly to: readonly Required<AlertTarget>[]
  readonly everySeconds: number
  readonly resolveAfterSeconds: number
  readonly remindSeconds: number | undefined
  readonly rules: Readonly<Partial<Record<RuleName, RuleLimits>>>
}

const ranges: Readonly<Record<'everySeconds' | 'resolveAfterMinutes' | 'remindHours', NumberRange>> = {
  everySeconds: { atLeast: 1, atMost: 3600 },
  resolveAfterMinutes: { atLeast: 1, atMost: 1440 },
  remindHours: { atLeast: 0.25, atMost: 720 },
}

export function alertSettingsOf(options: AlertOptions): AlertSettings {
  const { everySeconds = 60, resolveAfterMinutes = 10, remindHours, rules = {} } = options
  return {
    to: targetsOf(options),
    everySeconds,
    resolveAfterSeconds: resolveAfterMinutes * 60,
    remindSeconds: remindHours === undefined ? undefined : remindHours * 3600,
    rules: Object.fromEntries(
      ruleNames.flatMap((rule) => {
        const given = rules[rule]
        return given === false ? [] : [[rule, limitsOf(rule, given ?? {})]]
      }),
    ),
  }
}

type Names = { readonly targets: readonly string[]; readonly sources: readonly string[] }

/** Every mistake, as a sentence that says what to give instead. */
export function mistakesInAlerts(options: AlertOptions, { targets, sources }: Names): readonly string[] {
  if (typeof options !== 'object' || options === null) return ["alerts is no object: give { to: 'ops' }."]
  const to = targetsOf(options)
  return [
    ...(to.length === 0 ? ['alerts.to is missing: name a target of this inbox.'] : []),
    ...to.flatMap(({ target, format }) => mistakesInTarget(target, format, targets)),
    ...Object.entries(ranges).flatMap(([name, range]) =>
      mistakeInNumber(`alerts.${name}`, options[name as keyof typeof ranges], range),
    ),
    ...Object.entries(options.rules ?? {}).flatMap(([rule, given]) => mistakesInRule(rule, given, sources)),
  ]
}

function mistakesInTarget(target: unknown, format: string, targets: readonly string[]): readonly string[] {
  const known = targets.length === 0 ? 'this inbox has none: give it one' : `there are: ${targets.join(', ')}`
  return [
    ...(typeof target === 'string' && targets.includes(target)
      ? []
      : [`alerts.to names ${JSON.stringify(target)}, which is no target; ${known}.`]),
    ...(format === 'json' || format === 'slack'
      ? []
      : [`the format of alerts is ${JSON.stringify(format)}: give "json" or "slack".`]),
  ]
}

function mistakesInRule(rule: string, given: unknown, sources: readonly string[]): readonly string[] {
  const place = `alerts.rules.${rule}`
  if (!isRuleName(rule)) return [`${place} is no rule; there are: ${ruleNames.join(', ')}.`]
  if (given === false || given === undefined) return []
  if (typeof given !== 'object' || given === null) return [`${place} is no object: give false or its limits.`]
  const limits = optionsOfRules[rule]
  return Object.entries(given).flatMap(([name, value]: readonly [string, unknown]) => {
    if (name === 'except' && !overallRules.has(rule)) return mistakesInExcept(`${place}.except`, value, sources)
    const range = limits[name]
    if (range !== undefined) return mistakeInNumber(`${place}.${name}`, value, range)
    return [
      `${place}.${name} is no option; there are: ${[...Object.keys(limits), ...(overallRules.has(rule) ? [] : ['except'])].join(', ')}.`,
    ]
  })
}

function mistakesInExcept(place: string, value: unknown, sources: readonly string[]): readonly string[] {
  if (!Array.isArray(value)) return [`${place} is no list: give names of sources.`]
  return value.flatMap((name: unknown) =>
    typeof name === 'string' && sources.includes(name)
      ? []
      : [`${place} names ${JSON.stringify(name)}, which is no source.`],
  )
}

function mistakeInNumber(place: string, value: unknown, { atLeast, atMost }: NumberRange): readonly string[] {
  if (value === undefined || (typeof value === 'number' && value >= atLeast && value <= atMost)) return []
  return [`${place} is ${JSON.stringify(value)}: give a number from ${atLeast} to ${atMost}.`]
}

function targetsOf({ to }: AlertOptions): readonly Required<AlertTarget>[] {
  return [to].flat().flatMap((one: string | AlertTarget | undefined) => {
    if (one === undefined) return []
    return typeof one === 'string'
      ? [{ target: one, format: 'json' }]
      : [{ target: one.target, format: one.format ?? 'json' }]
  })
}

function limitsOf(rule: RuleName, given: Readonly<Record<string, unknown>>): RuleLimits {
  const numbers = Object.entries(optionsOfRules[rule]).map(([name, { byDefault }]) => [name, given[name] ?? byDefault])
  return {
    numbers: Object.fromEntries(numbers) as RuleLimits['numbers'],
    except: new Set((given['except'] ?? []) as readonly string[]),
  }
}

export function isRuleName(name: string): name is RuleName {
  return (ruleNames as readonly string[]).includes(name)
}
