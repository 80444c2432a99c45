import type { Clock, Provider } from '../index.ts'
import type { Sender } from '../prover/sender.ts'
import { createDueList } from './due-list.ts'
import { type FaultRates, faultsOf, overtakersOf } from './faults.ts'
import { type AttemptEnd, judgeAttempt } from './judge.ts'
import { type MadeAttempt, makeAttempt } from './make-attempt.ts'
import type { AttemptNote } from './options.ts'
import type { Pace } from './pace.ts'
import type { SendingReason, SimulatedAttempt, SimulatedEventReport, SimulationProgress } from './report.ts'
import type { RetryPlan } from './retry-plan.ts'
import type { EventStream, SimulatedEvent } from './stream.ts'
import { type Tally, takenBy } from './tally.ts'

export type StreamRun = {
  readonly provider: Provider
  readonly plan: RetryPlan
  readonly stream: EventStream
  /** When the events happen, in milliseconds of the simulation. */
  readonly moments: readonly number[]
  readonly everySeconds: number
  /** A sender that knows which attempt it is for. */
  readonly senderFor: (note: AttemptNote) => Sender
  readonly faults: FaultRates
  readonly seed: string
  readonly outage: { readonly from: number; readonly to: number } | undefined
  readonly pace: Pace
  readonly clock: Clock
  readonly signWith: 'real' | 'simulated'
  readonly atOnce: number
  /** The moment after which nothing is sent any more. */
  readonly end: number
  readonly tally: Tally
  readonly signal: AbortSignal
  readonly onProgress: (progress: SimulationProgress) => void
}

/** An event on its way. */
type Journey = {
  readonly event: SimulatedEvent
  readonly occurredAt: number
  readonly attempts: SimulatedAttempt[]
  firstAt: number
  plannedSeconds: number
  reason: SendingReason | undefined
  /** True once the endpoint has taken it, whether or not the provider knows. */
  isTaken: boolean
  outcome: SimulatedEventReport['outcome']
  why: string | undefined
}

/** Attempts that are due so close together are under way together, also where time jumps. */
const togetherMilliseconds = 1_000

/** Sends every event until it is acknowledged or the provider would give it up. Answers what became of each. */
export async function runStream(run: StreamRun): Promise<readonly SimulatedEventReport[]> {
  const { provider, plan, moments, pace, tally, signal, onProgress, end } = run
  const { sending } = provider.facts
  const journeys: Journey[] = []
  const due = createDueList<Journey>()
  const underWay = new Map<Promise<void>, number>()
  let lostInARow = 0
  let switchedOff: string | undefined

  const nextEventAt = (): number => moments[journeys.length] ?? Number.POSITIVE_INFINITY
  const nextAt = (): number => Math.min(due.peek()?.at ?? Number.POSITIVE_INFINITY, nextEventAt())
  const isOver = (): boolean => signal.aborted || switchedOff !== undefined || nextAt() > end

  for (;;) {
    if (isOver() || nextAt() === Number.POSITIVE_INFINITY) {
      if (underWay.size === 0) break
      await Promise.race(underWay.keys())
      continue
    }
    if (hasToWait()) {
      await Promise.race(underWay.keys())
      continue
    }
    const at = nextAt()
    if (!(await isReached(at))) continue
    const journey = takeNext()
    if (journey === undefined) continue
    const attempt = attemptAt(journey, at).finally(() => underWay.delete(attempt))
    underWay.set(attempt, at)
  }
  return conclude()

  /** Where time jumps, it must not run ahead of what an answer may bring. */
  function hasToWait(): boolean {
    if (underWay.size >= run.atOnce) return true
    return pace.isJumping && underWay.size > 0 && nextAt() - Math.min(...underWay.values()) > togetherMilliseconds
  }

  /** False if something else may be due earlier by now. */
  async function isReached(at: number): Promise<boolean> {
    if (pace.isJumping || at <= pace.now()) {
      await pace.until(at, signal)
      return true
    }
    const waiting = new AbortController()
    const stop = (): void => waiting.abort()
    signal.addEventListener('abort', stop, { once: true })
    await Promise.race([pace.until(at, waiting.signal), ...underWay.keys()])
    signal.removeEventListener('abort', stop)
    stop()
    return pace.now() >= at && nextAt() === at
  }

  /** The journey that is due; undefined if an event has happened that is held back. */
  function takeNext(): Journey | undefined {
    const at = nextEventAt()
    if ((due.peek()?.at ?? Number.POSITIVE_INFINITY) <= at) return due.take()?.item
    const journey = begin(at)
    const overtakers = overtakersOf(run.faults, { seed: run.seed, event: journey.event.number })
    if (overtakers === 0) return journey
    tally.heldBack()
    due.put(at + overtakers * run.everySeconds * 1000, journey)
    return undefined
  }

  function begin(occurredAt: number): Journey {
    const event = run.stream(new Date(occurredAt))
    const started = { firstAt: occurredAt, plannedSeconds: 0, reason: undefined, isTaken: false, why: undefined }
    const journey: Journey = { event, occurredAt, attempts: [], outcome: 'pending', ...started }
    journeys.push(journey)
    return journey
  }

  async function attemptAt(journey: Journey, at: number): Promise<void> {
    const number = journey.attempts.length + 1
    if (number === 1) journey.firstAt = at
    const signedAt = run.signWith === 'real' ? run.clock.now() : new Date(at)
    const { event, reason } = journey
    const delivery = event.deliver({ number, reason, at: signedAt, firstAt: new Date(journey.firstAt) })
    const note = { eventId: event.ids[0] ?? '', attempt: number, signedAt, simulatedAt: new Date(at) }
    const made = await makeAttempt({
      sender: run.senderFor(note),
      delivery,
      faults: faultsOf(run.faults, { seed: run.seed, event: event.number, attempt: number }),
      isOutage: run.outage !== undefined && at >= run.outage.from && at < run.outage.to,
      clock: run.clock,
    })
    const attempt = noteOf(journey, made, { number, at })
    journey.attempts.push(attempt)
    tally.attempted(made, attempt, journey.isTaken)
    journey.isTaken ||= takenBy(sending, made) > 0
    onProgress({ kind: 'attempted', event: reportOf(journey), attempt, counts: tally.counts() })
    decide(journey, made.end, at)
  }

  function decide(journey: Journey, end: AttemptEnd, at: number): void {
    const judgement = judgeAttempt(provider.facts, journey.event.type, end)
    if (judgement.kind === 'success') return settle(journey, 'delivered')
    if (judgement.kind === 'final') return settle(journey, 'given_up', judgement.why)
    const pause = plan.pausesSeconds[journey.attempts.length - 1]
    if (pause === undefined) return settle(journey, 'given_up', whyGivenUp(plan))
    journey.reason = end.kind === 'answered' ? 'status' : end.kind
    journey.plannedSeconds += pause
    // Whoever waited in vain has waited first.
    const waited = end.kind === 'timeout' ? plan.deadlineSeconds : 0
    due.put(at + (waited + Math.max(pause, judgement.afterAtLeastSeconds)) * 1000, journey)
  }

  function settle(journey: Journey, outcome: 'delivered' | 'given_up', why?: string): void {
    journey.outcome = outcome
    journey.why = why
    tally.ended(outcome, journey.attempts.length)
    onProgress({ kind: 'ended', event: reportOf(journey), counts: tally.counts() })
    lostInARow = outcome === 'delivered' ? 0 : lostInARow + 1
    const limit = sending.switchedOffAfterLostEvents
    if (limit === undefined || lostInARow < limit || switchedOff !== undefined) return
    switchedOff = `${provider.facts.title} switches the endpoint off after ${limit === 1 ? 'an event' : `${limit} events in a row`} that it gave up.`
    onProgress({ kind: 'switched_off', why: switchedOff })
  }

  function conclude(): readonly SimulatedEventReport[] {
    for (const { item } of due.all()) {
      if (switchedOff === undefined) tally.ended('pending', 0)
      else Object.assign(item, { outcome: 'given_up', why: switchedOff } satisfies Partial<Journey>)
      if (switchedOff !== undefined) tally.ended('given_up', 0)
    }
    for (const moment of moments.slice(journeys.length)) {
      if (signal.aborted || moment > end) break
      const journey = begin(moment)
      Object.assign(journey, { outcome: 'not_sent', why: switchedOff } satisfies Partial<Journey>)
      tally.ended('not_sent', 0)
    }
    return journeys.map(reportOf)
  }
}

function whyGivenUp({ pausesSeconds }: RetryPlan): string {
  return pausesSeconds.length === 0 ? 'it is sent only once' : `all ${pausesSeconds.length + 1} attempts failed`
}

function noteOf(
  { firstAt, plannedSeconds }: Journey,
  { end, faults, unheard, milliseconds }: MadeAttempt,
  { number, at }: { readonly number: number; readonly at: number },
): SimulatedAttempt {
  return {
    number,
    plannedSeconds,
    madeSeconds: (at - firstAt) / 1000,
    at: new Date(at).toISOString(),
    outcome: outcomeOf(end),
    faults,
    unheard: unheard.map(({ status }) => String(status)),
    milliseconds,
  }
}

function outcomeOf(end: AttemptEnd): string {
  switch (end.kind) {
    case 'answered':
      return String(end.reply.status)
    case 'timeout':
      return 'timeout'
    case 'connection':
      return end.reason
  }
}

function reportOf({ event, occurredAt, attempts, outcome, why }: Journey): SimulatedEventReport {
  return {
    number: event.number,
    ids: event.ids,
    type: event.type,
    objectId: event.objectId,
    occurredAt: new Date(occurredAt).toISOString(),
    outcome,
    ...(why === undefined ? {} : { why }),
    attempts: [...attempts],
  }
}
