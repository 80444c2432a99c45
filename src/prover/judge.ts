import type { Counts } from './counter.ts'
import type { ProverEvent } from './events.ts'
import { type Finding, failed, passed } from './findings.ts'
import type { Stage } from './scenario.ts'

export type Judgement = {
  /** What was done, for the sentence: "50 copies at once". */
  readonly did: string
  /** For effects that may come late, as after a crash. */
  readonly patienceSeconds?: number
  /** Whether the sender would still send it again: not if it was acknowledged. */
  readonly lostSymptom?: 'lost' | 'lost_after_acknowledgement'
}

/** Each event has to have taken effect exactly once. */
export async function judgeOnce(
  { counter, timeline }: Stage,
  events: readonly ProverEvent[],
  { did, patienceSeconds, lostSymptom = 'lost' }: Judgement,
): Promise<Finding> {
  if (!counter.canSee) return unseen(`${did}: acknowledged`)
  const counts = await counter.expectOnce(events, patienceSeconds)
  const wrong = events.filter(({ id }) => counts.get(id) !== 1)
  timeline.mark(`counted: ${summaryOf(events, counts)}`, wrong.length === 0 ? 'good' : 'bad')
  return findingOf(events, counts, { did, lostSymptom })
}

function findingOf(
  events: readonly ProverEvent[],
  counts: Counts,
  { did, lostSymptom }: { readonly did: string; readonly lostSymptom: 'lost' | 'lost_after_acknowledgement' },
): Finding {
  const doubled = events.filter(({ id }) => (counts.get(id) ?? 0) > 1)
  const lost = events.filter(({ id }) => (counts.get(id) ?? 0) === 0)
  const saw = `${did} → ${summaryOf(events, counts)}`
  if (doubled.length > 0) return failed('doubled', `${saw}${examplesOf(doubled, counts)}`, doubled)
  if (lost.length > 0) return failed(lostSymptom, `${saw}${examplesOf(lost, counts)}`, lost)
  return passed(saw)
}

/** What is said where nobody counts. */
export function unseen(saw: string): Finding {
  return { kind: 'unseen', saw, missing: 'how often it took effect: give a probe' }
}

/** For example "1 effect", or "20 events: 18 once, 2 not at all". */
function summaryOf(events: readonly ProverEvent[], counts: Counts): string {
  if (events.length === 1) {
    const count = counts.get(events[0]?.id ?? '') ?? 0
    return count === 1 ? '1 effect' : `${count} effects`
  }
  const once = events.filter(({ id }) => counts.get(id) === 1).length
  const never = events.filter(({ id }) => (counts.get(id) ?? 0) === 0).length
  const more = events.length - once - never
  const parts = [
    `${once} once`,
    ...(never > 0 ? [`${never} not at all`] : []),
    ...(more > 0 ? [`${more} more than once`] : []),
  ]
  return `${events.length} events: ${parts.join(', ')}`
}

function examplesOf(events: readonly ProverEvent[], counts: Counts): string {
  const some = events.slice(0, 3).map(({ id }) => `${id}: ${counts.get(id) ?? 0}`)
  return ` (${some.join(', ')}${events.length > 3 ? ', …' : ''})`
}
