import { randomBytes } from 'node:crypto'
import { randomOf } from '../testing/random.ts'
import { causeNamed } from './causes.ts'
import { createCounter } from './counter.ts'
import { createCourier } from './courier.ts'
import { diagnose, type Findings } from './diagnose.ts'
import { createEventMaker, type EventSource, hasStableId, type ProverEvent, samplesOf } from './events.ts'
import { type Finding, failed } from './findings.ts'
import { inProcessSender } from './in-process-sender.ts'
import { type Introduction, introduce } from './introduction.ts'
import { type CheckedOptions, checkOptions, type ProveOptions } from './options.ts'
import type { ProverReport, ScenarioResult } from './report.ts'
import type { Scenario, Stage } from './scenario.ts'
import type { Sender } from './sender.ts'
import { createServerUnderTest, type ServerUnderTest } from './server-under-test.ts'
import { createTimeline, type Timeline } from './timeline.ts'
import { wireSender } from './wire-sender.ts'

export type { Cause, CauseName } from './causes.ts'
export type { Send } from './in-process-sender.ts'
export type { ProveOptions } from './options.ts'
export type { Probe, StateProbe, Subject } from './probes/probe.ts'
export type { Progress, ProverReport, ScenarioResult } from './report.ts'

/** Puts an endpoint to the test and says which promises it breaks. What it cannot say, it says too. */
export async function prove(options: ProveOptions): Promise<ProverReport> {
  const checked = checkOptions(options)
  const startedAt = new Date()
  const server = serverOf(options, checked)
  try {
    await server?.start()
    const { introduction, results } = await runAll(options, checked, server)
    const why = introduction.kind === 'stranger' ? introduction.why : undefined
    return {
      verdict: why !== undefined ? 'could_not_run' : results.some(isFailed) ? 'unsafe' : 'safe',
      why,
      provider: options.provider.name,
      target: targetOf(options),
      seed: checked.seed,
      startedAt: startedAt.toISOString(),
      milliseconds: Date.now() - startedAt.getTime(),
      scenarios: results,
      blindSpots: blindSpotsOf(options, results),
    }
  } finally {
    await server?.kill()
  }
}

/** What a scenario leaves behind. */
type Ended = {
  readonly scenario: Scenario
  readonly finding: Finding
  readonly timeline: Timeline
  readonly milliseconds: number
}

async function runAll(
  options: ProveOptions,
  checked: CheckedOptions,
  server: ServerUnderTest | undefined,
): Promise<{ readonly introduction: Introduction; readonly results: readonly ScenarioResult[] }> {
  const { provider } = options
  const sender = senderOf(options, checked)
  const source: EventSource = {
    provider,
    samples: await samplesOf(provider),
    url: checked.url,
    type: options.type,
    runId: randomBytes(8).toString('hex'),
  }
  const events = createEventMaker(source, 'introduction')
  if (!hasStableId(provider, events.fresh())) return { introduction: nameless(provider.name), results: [] }
  const introduction = await introduce({
    events,
    courier: createCourier(sender, createTimeline()),
    probe: options.probe,
    patienceSeconds: checked.patienceSeconds,
    output: () => server?.output() ?? '',
  })
  if (introduction.kind === 'stranger') return { introduction, results: [] }

  const { latencyMilliseconds, effectDelayMilliseconds } = introduction
  const counter = createCounter({
    probe: options.probe,
    patienceSeconds: checked.patienceSeconds,
    quietMilliseconds: () => Math.max(240, effectDelayMilliseconds * 3),
  })
  const watched = new Map<Scenario, WatchedCounts>()
  const ended: Ended[] = []
  for (const [index, scenario] of checked.scenarios.entries()) {
    options.onProgress?.({
      kind: 'scenario_started',
      name: scenario.name,
      number: index + 1,
      of: checked.scenarios.length,
    })
    const timeline = createTimeline()
    const counts: WatchedCounts = new Map()
    watched.set(scenario, counts)
    const stage: Stage = {
      provider,
      stranger: options.stranger,
      events: createEventMaker(source, scenario.name),
      courier: createCourier(sender, timeline),
      counter: watching(counter, counts),
      readState: options.readState,
      countsBy: options.countsBy ?? 'event',
      random: randomOf(checked.seed, scenario.name),
      timeline,
      server,
      settings: settingsAfter(ended, checked),
      latencyMilliseconds,
    }
    const finding = await scenario.run(stage)
    ended.push({ scenario, finding, timeline, milliseconds: Math.round(timeline.now()) })
    options.onProgress?.({ kind: 'scenario_ended', result: resultOf(ended.at(-1) as Ended, findingsOf(ended)) })
  }
  const final = await Promise.all(ended.map((one) => lookAgain(one, watched.get(one.scenario), counter)))
  return { introduction, results: final.map((one) => resultOf(one, findingsOf(final))) }
}

/** Who has waited in vain once has seen enough: what is lost later need not be waited for as long. */
function settingsAfter(ended: readonly Ended[], { settings, patienceSeconds }: CheckedOptions): Stage['settings'] {
  const hasLost = ended.some(({ finding }) => finding.kind === 'failed' && finding.symptom.startsWith('lost'))
  if (!hasLost) return settings
  return {
    ...settings,
    recoverySeconds: Math.min(settings.recoverySeconds, Math.max(patienceSeconds, settings.recoverySeconds / 3)),
  }
}

function nameless(provider: string): Introduction {
  return {
    kind: 'stranger',
    why: `Events of ${provider} carry no id that stays the same when they are sent again, so nobody could tell a copy from a new event.`,
  }
}

/** The last count of each event. */
type WatchedCounts = Map<string, { readonly event: ProverEvent; readonly count: number }>

type Counter = ReturnType<typeof createCounter>

/** Remembers what was counted, for a look at the end. */
function watching(counter: Counter, watched: WatchedCounts): Counter {
  const remember = async (
    events: readonly ProverEvent[],
    counts: Promise<ReadonlyMap<string, number>>,
  ): Promise<ReadonlyMap<string, number>> => {
    const found = await counts
    for (const event of events) watched.set(event.id, { event, count: found.get(event.id) ?? 0 })
    return found
  }
  return {
    ...counter,
    expectOnce: (events, patience) => remember(events, counter.expectOnce(events, patience)),
    atRest: (events) => remember(events, counter.atRest(events)),
  }
}

/** A second effect may come long after the first: whoever passed is counted once more when all is over. */
async function lookAgain(ended: Ended, watched: WatchedCounts | undefined, counter: Counter): Promise<Ended> {
  if (ended.finding.kind !== 'passed' || watched === undefined || watched.size === 0) return ended
  const once = [...watched.values()].filter(({ count }) => count === 1).map(({ event }) => event)
  const counts = await counter.now(once)
  const doubled = once.filter(({ id }) => (counts.get(id) ?? 0) > 1)
  if (doubled.length === 0) return ended
  ended.timeline.mark('counted at the end of the run: more than once', 'bad')
  const saw = `${ended.finding.saw}, but ${doubled.length} took effect again later (${doubled[0]?.id ?? ''})`
  return { ...ended, finding: failed('doubled', saw, doubled) }
}

function findingsOf(ended: readonly Ended[]): Findings {
  return new Map(ended.map(({ scenario, finding }) => [scenario.name, finding]))
}

function resultOf({ scenario, finding, timeline, milliseconds }: Ended, findings: Findings): ScenarioResult {
  const { name, group, promise } = scenario
  const common = { name, group, promise, status: finding.kind, milliseconds }
  switch (finding.kind) {
    case 'passed':
    case 'unseen':
      return { ...common, saw: finding.saw }
    case 'skipped':
      return { ...common, saw: finding.why }
    case 'failed': {
      const cause = diagnose(name, finding.symptom, findings)
      return {
        ...common,
        saw: finding.saw,
        cause: causeNamed(cause),
        affected: finding.affected,
        timeline: timeline.entries(),
      }
    }
  }
}

function isFailed({ status }: ScenarioResult): boolean {
  return status === 'failed'
}

function serverOf({ start, url }: ProveOptions, { startSeconds }: CheckedOptions): ServerUnderTest | undefined {
  if (start === undefined || url === undefined) return undefined
  return createServerUnderTest({ command: start, url, startSeconds })
}

/** A bit longer than the provider waits, so that "too slow" and "never" can be told apart. */
function senderOf({ url, send }: ProveOptions, { settings }: CheckedOptions): Sender {
  const timeoutSeconds = settings.deadlineSeconds * 2 + 5
  if (send !== undefined) return inProcessSender(send, timeoutSeconds)
  return wireSender(url ?? '', timeoutSeconds)
}

/** Some addresses hold a token or a password. */
function targetOf({ url }: ProveOptions): string {
  if (url === undefined) return 'a handler in this process'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

function blindSpotsOf(options: ProveOptions, results: readonly ScenarioResult[]): readonly string[] {
  const has = (status: ScenarioResult['status']): boolean => results.some((result) => result.status === status)
  return [
    ...(options.probe === undefined && has('unseen')
      ? ['How often events took effect: without a probe only the answers could be judged.']
      : []),
    ...(options.start === undefined && results.some(({ group }) => group === 'crashes')
      ? ['What a crash does: the prover was not told how to start the server.']
      : []),
    ...(options.readState === undefined && results.some(({ name }) => name === 'older-after-newer')
      ? ['Which event won when the order was wrong: without a state probe nobody knows what was stored.']
      : []),
  ]
}
