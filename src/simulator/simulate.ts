import { randomBytes } from 'node:crypto'
import { samplesOf } from '../prover/events.ts'
import { inProcessSender } from '../prover/in-process-sender.ts'
import type { Sender } from '../prover/sender.ts'
import { wireSender } from '../prover/wire-sender.ts'
import { randomOf } from '../testing/random.ts'
import { greet } from './greet.ts'
import { type AttemptNote, type CheckedSimulation, checkSimulation, type SimulateOptions } from './options.ts'
import { jumpingPace, steadyPace } from './pace.ts'
import { whyUnreachable } from './reach.ts'
import type { GreetingReport, SimulatedEventReport, SimulationReport } from './report.ts'
import { type RetryPlan, retryPlanOf } from './retry-plan.ts'
import { runStream } from './run-stream.ts'
import { createStream } from './stream.ts'
import { createTally, type Tally } from './tally.ts'

export type { FaultKind, FaultRates } from './faults.ts'
export type { AttemptNote, SimulatedSend, SimulateOptions } from './options.ts'
export type {
  GreetingReport,
  GreetingStep,
  SendingReason,
  SimulatedAttempt,
  SimulatedEventReport,
  SimulationCounts,
  SimulationProgress,
  SimulationReport,
} from './report.ts'
export { type RetryPlan, retryPlanOf } from './retry-plan.ts'

/** Behaves towards an endpoint as the provider does, in little time: greeting, events, deadline, retries, giving up. */
export async function simulate(options: SimulateOptions): Promise<SimulationReport> {
  const checked = checkSimulation(options)
  const plan = planOf(options)
  const tally = createTally(options.provider.facts.sending)
  const startedAt = new Date()
  const ended = await run(options, checked, { plan, tally })
  const { kind, why, greeting = { kind: 'none' }, events = [], simulatedSeconds = 0 } = ended
  const figures = tally.figures()
  return {
    verdict: kind === 'ran' ? verdictOf(figures.counts, options.signal) : kind,
    why,
    provider: options.provider.name,
    target: targetOf(options),
    seed: checked.seed,
    plan,
    greeting,
    startedAt: startedAt.toISOString(),
    milliseconds: Date.now() - startedAt.getTime(),
    simulatedSeconds,
    ...figures,
    events,
  }
}

type Ended = {
  readonly kind: 'ran' | 'not_greeted' | 'could_not_run'
  readonly why?: string
  readonly greeting?: GreetingReport
  readonly events?: readonly SimulatedEventReport[]
  readonly simulatedSeconds?: number
}

async function run(
  options: SimulateOptions,
  checked: CheckedSimulation,
  { plan, tally }: { readonly plan: RetryPlan; readonly tally: Tally },
): Promise<Ended> {
  const { provider, greeting: wanted = {}, onProgress = () => {} } = options
  const why = options.url === undefined ? undefined : await whyUnreachable(options.url)
  if (why !== undefined) return { kind: 'could_not_run', why }

  const senderFor = sendersOf(options, plan.deadlineSeconds)
  const { url, clock } = checked
  const given = wanted === false ? {} : wanted
  const input = { url, secret: given.secret, verifyToken: given.verifyToken }
  const greeting: GreetingReport =
    wanted === false
      ? { kind: 'skipped', why: 'It was left out.' }
      : await greet({ provider, sender: senderFor(undefined), input, clock })
  onProgress({ kind: 'greeted', greeting })
  if (greeting.kind === 'failed') {
    return {
      kind: 'not_greeted',
      why: 'The endpoint failed the greeting, so the provider would not send to it.',
      greeting,
    }
  }

  const { moments, start, span } = momentsOf(options, checked)
  const pace = checked.speed === 'jump' ? jumpingPace(start) : steadyPace(start, checked.speed, clock)
  const events = await runStream({
    provider,
    plan,
    stream: createStream({
      provider,
      samples: await samplesOf(provider),
      types: options.types,
      url,
      seed: checked.seed,
      runId: randomBytes(8).toString('hex'),
    }),
    moments,
    everySeconds: checked.everySeconds,
    senderFor,
    faults: checked.faults,
    seed: checked.seed,
    outage: outageOf(options, start, span),
    pace,
    clock,
    signWith: checked.signWith,
    atOnce: checked.atOnce,
    end: start + checked.forSeconds * 1000,
    tally,
    signal: options.signal ?? new AbortController().signal,
    onProgress,
  })
  return { kind: 'ran', greeting, events, simulatedSeconds: Math.round((pace.now() - start) / 1000) }
}

function planOf({ provider, deadlineSeconds }: SimulateOptions): RetryPlan {
  const plan = retryPlanOf(provider.facts)
  return deadlineSeconds === undefined ? plan : { ...plan, deadlineSeconds }
}

/** A sender for each attempt: a function in this process is told which one it is. */
function sendersOf({ url, send }: SimulateOptions, deadlineSeconds: number): (note: AttemptNote | undefined) => Sender {
  if (send !== undefined) {
    return (note) => inProcessSender((delivery, signal) => send(delivery, signal, note), deadlineSeconds)
  }
  const sender = wireSender(url ?? '', deadlineSeconds)
  return () => sender
}

/** When the events happen: at random around the average, and the last of them about now. */
function momentsOf(
  { startAt }: SimulateOptions,
  { events, everySeconds, seed, clock }: CheckedSimulation,
): { readonly moments: readonly number[]; readonly start: number; readonly span: number } {
  const random = randomOf(seed, 'moments')
  let offset = 0
  const offsets = Array.from({ length: events }, (_, index) => {
    if (index > 0) offset += Math.round(everySeconds * 1000 * (0.5 + random.fraction()))
    return offset
  })
  const start = startAt?.getTime() ?? clock.now().getTime() - offset
  return { moments: offsets.map((each) => start + each), start, span: offset }
}

function outageOf(
  { outage }: SimulateOptions,
  start: number,
  span: number,
): { readonly from: number; readonly to: number } | undefined {
  if (outage === undefined) return undefined
  const from = start + (outage.afterSeconds === undefined ? span / 3 : outage.afterSeconds * 1000)
  return { from, to: from + outage.seconds * 1000 }
}

function verdictOf(
  { givenUp, notSent, pending }: SimulationReport['counts'],
  signal: AbortSignal | undefined,
): SimulationReport['verdict'] {
  if (givenUp + notSent > 0) return 'lost_events'
  return signal?.aborted === true || pending > 0 ? 'stopped' : 'delivered'
}

/** Some addresses hold a token or a password. */
function targetOf({ url }: SimulateOptions): string {
  if (url === undefined) return 'a handler in this process'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
