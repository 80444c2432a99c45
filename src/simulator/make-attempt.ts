import type { Clock, Delivery } from '../index.ts'
import type { LoadedRequest, Reply, Sender } from '../prover/sender.ts'
import type { AttemptFaults, FaultKind } from './faults.ts'
import type { AttemptEnd } from './judge.ts'

export type AttemptToMake = {
  readonly sender: Sender
  readonly delivery: Delivery
  readonly faults: AttemptFaults
  /** True while the endpoint is out of reach. */
  readonly isOutage: boolean
  readonly clock: Pick<Clock, 'wait'>
}

/** What was done and what came of it. */
export type MadeAttempt = {
  /** What the provider saw. */
  readonly end: AttemptEnd
  readonly faults: readonly (FaultKind | 'outage')[]
  /** Answers that the provider never saw: of a lost answer, and of a copy. */
  readonly unheard: readonly Extract<Reply, { kind: 'answered' }>[]
  /** Requests that reached the endpoint whole, as far as this side can know. */
  readonly requests: number
  readonly milliseconds: number
}

/** How long the last byte of a slow request lets the others wait. */
const slowestMilliseconds = 500

/** A provider that stops waiting does so in the middle of the work. */
const latestHangUpMilliseconds = 30

/** Sends one delivery, with whatever is to go wrong on its way. */
export async function makeAttempt({ sender, delivery, faults, isOutage, clock }: AttemptToMake): Promise<MadeAttempt> {
  const startedAt = performance.now()
  const made = (parts: Omit<MadeAttempt, 'milliseconds'>): MadeAttempt => ({
    ...parts,
    milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
  })
  const unreached = (reason: string, fault: FaultKind | 'outage'): MadeAttempt =>
    made({ end: { kind: 'connection', reason }, faults: [fault], unheard: [], requests: 0 })
  if (isOutage) return unreached('out of reach', 'outage')
  if (faults.wire === 'refused') return unreached('refused', 'refused')

  const loaded = await sender.load(delivery)
  if (faults.wire === 'reset') {
    loaded.abandon()
    return unreached('reset', 'reset')
  }
  const copy = faults.isDoubled ? await sender.load(delivery) : undefined
  if (faults.wire === 'slow') await clock.wait(1 + faults.random.below(slowestMilliseconds))
  const [first, second] = await Promise.all([released(loaded, faults), copy?.release()])
  const unheard = [...first.unheard, ...(second?.kind === 'answered' ? [second] : [])]
  return made({
    end: first.end,
    faults: [
      ...(faults.wire === undefined ? [] : [faults.wire]),
      ...(faults.isDoubled ? (['duplicate'] as const) : []),
    ],
    unheard,
    requests: copy === undefined ? 1 : 2,
  })
}

type Released = Pick<MadeAttempt, 'end' | 'unheard'>

async function released(loaded: LoadedRequest, { wire, random }: AttemptFaults): Promise<Released> {
  if (wire === 'timeout') {
    const reply = await loaded.release({ hangUpAfterMilliseconds: random.below(latestHangUpMilliseconds) })
    return { end: { kind: 'timeout' }, unheard: reply.kind === 'answered' ? [reply] : [] }
  }
  const reply = await loaded.release()
  if (wire === 'lost-answer' && reply.kind === 'answered') {
    return { end: { kind: 'connection', reason: 'the answer was lost' }, unheard: [reply] }
  }
  return { end: endOf(reply), unheard: [] }
}

function endOf(reply: Reply): AttemptEnd {
  switch (reply.kind) {
    case 'answered':
      return { kind: 'answered', reply }
    case 'hung_up':
      return { kind: 'connection', reason: 'hung up' }
    case 'no_answer':
      return reply.isTimeout === true ? { kind: 'timeout' } : { kind: 'connection', reason: reply.reason }
  }
}
