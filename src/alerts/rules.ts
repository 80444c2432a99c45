import type { AlertFigures, AlertSituation, Episode, Silence, SourceSituation } from '../store/alert-store.ts'
import type { AlertSettings, RuleLimits } from './alert-options.ts'
import { usualCount, usualShare } from './baseline.ts'
import type { RuleName } from './rule-options.ts'

/**
 * Something that a rule has seen. `firing` opens an alert; `holding` is below the limit but above half of it: that keeps one open and
 * opens none, so that what goes up and down around the limit is one alert.
 */
export type Finding = {
  readonly rule: RuleName
  /** Undefined where the rule looks at all sources together. */
  readonly source: string | undefined
  readonly level: 'firing' | 'holding'
  readonly figures: AlertFigures
}

export type RuleContext = {
  readonly situation: AlertSituation
  readonly rules: AlertSettings['rules']
  /** How long the provider of a source waits for an answer. */
  readonly deadlineSecondsOf: (source: string) => number
}

/** All that the rules see in a situation. */
export function findAll(context: RuleContext): readonly Finding[] {
  const { situation, rules } = context
  return [
    ...situation.sources.flatMap((source) => [
      ...bySource('duplicates', source, rules, (limits) => duplicates(source, limits, context)),
      ...bySource('firstAttemptErrors', source, rules, (limits) => firstAttemptErrors(source, limits)),
      ...bySource('signatureFailures', source, rules, (limits) => signatureFailures(source, limits, context)),
      ...bySource('silence', source, rules, (limits) => silence(source.silence, limits)),
      ...bySource('deadline', source, rules, (limits) => deadline(source, limits, context)),
    ]),
    ...situation.deadLetters.flatMap((dead) =>
      bySource('deadLetters', dead, rules, (limits) => newOnes(dead.count, limits)),
    ),
    ...situation.deadMessages.flatMap((dead) =>
      bySource('deadMessages', dead, rules, (limits) => newOnes(dead.count, limits)),
    ),
    ...overall('lag', rules, (limits) => lag(situation, limits)),
    ...overall('upkeep', rules, (limits) => upkeep(situation, limits)),
  ]
}

type Seen = Pick<Finding, 'level' | 'figures'> | undefined

function bySource(
  rule: RuleName,
  { source }: { readonly source: string },
  rules: AlertSettings['rules'],
  look: (limits: RuleLimits) => Seen,
): readonly Finding[] {
  const limits = rules[rule]
  const seen = limits === undefined || limits.except.has(source) ? undefined : look(limits)
  return seen === undefined ? [] : [{ rule, source, ...seen }]
}

function overall(
  rule: RuleName,
  rules: AlertSettings['rules'],
  look: (limits: RuleLimits) => Seen,
): readonly Finding[] {
  const limits = rules[rule]
  const seen = limits === undefined ? undefined : look(limits)
  return seen === undefined ? [] : [{ rule, source: undefined, ...seen }]
}

/** By the share of all deliveries, because more traffic has more copies. */
function duplicates(source: SourceSituation, limits: RuleLimits, context: RuleContext): Seen {
  const { events, copies } = source.window
  const deliveries = events + copies
  const usual =
    frozen('duplicates', source, context) ??
    usualShare(
      source,
      (sums) => sums.copies,
      (sums) => sums.events + sums.copies,
    )
  if (usual === undefined || deliveries === 0) return undefined
  const share = copies / deliveries
  // Where half of everything is copies, three times as much cannot be.
  const limit = Math.min(0.9, Math.max(of(limits, 'share'), of(limits, 'factor') * usual))
  const figures = { copies, deliveries, share, usual, limit }
  return measured({ count: copies, minimum: of(limits, 'minimum'), value: share, limit, figures })
}

function firstAttemptErrors({ window }: SourceSituation, limits: RuleLimits): Seen {
  const { failed, handled } = window
  const share = failed / Math.max(1, handled, failed)
  const limit = of(limits, 'share')
  return measured({
    count: failed,
    minimum: of(limits, 'minimum'),
    value: share,
    limit,
    figures: { failed, handled: Math.max(handled, failed), share, limit },
  })
}

function signatureFailures(source: SourceSituation, limits: RuleLimits, context: RuleContext): Seen {
  const { forged, events, copies } = source.window
  const usual = frozen('signatureFailures', source, context) ?? usualCount(source, (sums) => sums.forged)
  const minimum = of(limits, 'minimum')
  const limit = Math.max(minimum, of(limits, 'factor') * usual)
  const figures = { forged, authentic: events + copies, usual, limit }
  return measured({ count: forged, minimum, value: forged, limit, figures })
}

/** With less of it, a weekend could be taken for silence. */
const daysToLearn = 7

/** With fewer stretches in which it was heard, a source does not usually talk. */
const leastHeard = 20

function silence(quiet: Silence | undefined, limits: RuleLimits): Seen {
  if (quiet === undefined || quiet.knownDays < daysToLearn || quiet.heard < leastHeard) return undefined
  const { minutes, usual, longestMinutes } = quiet
  const missing = usual.length === 0 ? 0 : Math.min(...usual)
  const isMissed = missing >= of(limits, 'expected')
  const isLongest = minutes >= longestMinutes * of(limits, 'factor')
  if (!isMissed && !isLongest) return undefined
  return { level: 'firing', figures: { minutes, missing, longestMinutes } }
}

function deadline({ source, window }: SourceSituation, limits: RuleLimits, { deadlineSecondsOf }: RuleContext): Seen {
  const { answered, near, late, slowestMilliseconds } = window
  const limit = of(limits, 'share')
  const share = near / Math.max(1, answered)
  return measured({
    count: near,
    minimum: of(limits, 'minimum'),
    value: share,
    limit,
    figures: {
      near,
      late,
      answered,
      share,
      limit,
      nearSeconds: of(limits, 'near') * deadlineSecondsOf(source),
      deadlineSeconds: deadlineSecondsOf(source),
      slowestSeconds: slowestMilliseconds / 1000,
    },
  })
}

function newOnes(count: number, limits: RuleLimits): Seen {
  const limit = of(limits, 'minimum')
  return measured({ count, minimum: limit, value: count, limit, figures: { count, limit } })
}

function lag({ lag: due }: AlertSituation, limits: RuleLimits): Seen {
  if (due === undefined) return undefined
  const limit = of(limits, 'seconds')
  const { seconds, waiting, source } = due
  return measured({ count: 1, minimum: 1, value: seconds, limit, figures: { seconds, waiting, limit, oldest: source } })
}

function upkeep({ upkeep: tasks }: AlertSituation, limits: RuleLimits): Seen {
  const limit = of(limits, 'hours') * 3600
  const late = tasks.filter(({ lateSeconds }) => lateSeconds >= limit)
  if (late.length === 0) return undefined
  const seconds = Math.max(...late.map(({ lateSeconds }) => lateSeconds))
  return { level: 'firing', figures: { tasks: late.map(({ task }) => task).join(', '), seconds, limit } }
}

type Measure = {
  readonly count: number
  readonly minimum: number
  readonly value: number
  readonly limit: number
  readonly figures: AlertFigures
}

function measured({ count, minimum, value, limit, figures }: Measure): Seen {
  if (count >= minimum && value >= limit) return { level: 'firing', figures }
  return count >= minimum / 2 && value >= limit / 2 ? { level: 'holding', figures } : undefined
}

const dayMilliseconds = 86_400_000

/** What was usual when the alert was opened: a level that goes on is not compared with itself, until it has gone on for a day. */
function frozen(rule: RuleName, { source }: SourceSituation, { situation }: RuleContext): number | undefined {
  const open = openEpisode(situation, rule, source)
  if (open === undefined || situation.at.getTime() - open.openedAt.getTime() > dayMilliseconds) return undefined
  const { usual } = open.openingFigures
  return typeof usual === 'number' ? usual : undefined
}

/** The open alert of a rule and source, if there is one. */
export function openEpisode({ open }: AlertSituation, rule: string, source: string | undefined): Episode | undefined {
  return open.find((alert) => alert.rule === rule && alert.source === source)
}

function of({ numbers }: RuleLimits, name: string): number {
  return numbers[name] ?? 0
}
