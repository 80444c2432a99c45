import type { LiveEvent } from '../api/live.ts'

/** The steps of the guided first event, in order. */
export type StepName = 'send' | 'see' | 'again' | 'break' | 'retry' | 'dead' | 'fix' | 'replay'

/** What was seen of one event. */
export type Seen = {
  readonly eventId: string
  readonly receiptId: string | undefined
  readonly deliveries: number
  readonly duplicates: number
  readonly runs: number
  readonly retries: number
  readonly isDead: boolean
  readonly isDone: boolean
}

/** What the guide remembers. Steps follow from it; nothing is ticked off because a button was pressed. */
export type GuideMemory = {
  /** The event that goes well, and the one whose handler is broken. */
  readonly first: string | undefined
  readonly second: string | undefined
  readonly wasBroken: boolean
  readonly wasFixed: boolean
  /** Newest last; bounded. */
  readonly seen: readonly Seen[]
}

export const freshGuide: GuideMemory = {
  first: undefined,
  second: undefined,
  wasBroken: false,
  wasFixed: false,
  seen: [],
}

const mostSeen = 40

/** Something happened to an event. Also heard of before the answer to the call that sent it. */
export function guideAfter(memory: GuideMemory, event: LiveEvent): GuideMemory {
  const { kind, eventId, outcome } = event
  if (eventId === undefined || (kind !== 'delivery' && kind !== 'handler')) return memory
  const before = seenOf(memory, eventId) ?? unseen(eventId)
  const now = kind === 'delivery' ? afterDelivery(before, event) : afterRun(before, outcome)
  const others = memory.seen.filter((one) => one.eventId !== eventId)
  return { ...memory, seen: [...others, { ...now, receiptId: event.receiptId ?? before.receiptId }].slice(-mostSeen) }
}

export function seenOf({ seen }: GuideMemory, eventId: string | undefined): Seen | undefined {
  return seen.find((one) => one.eventId === eventId)
}

/** Which steps are done. A step counts only after all before it, so that the guide goes in order. */
export function doneSteps(memory: GuideMemory): readonly StepName[] {
  const first = seenOf(memory, memory.first)
  const second = seenOf(memory, memory.second)
  const facts: readonly (readonly [StepName, boolean])[] = [
    ['send', (first?.deliveries ?? 0) > 0],
    ['see', first?.isDone === true],
    ['again', (first?.duplicates ?? 0) > 0],
    ['break', memory.wasBroken],
    ['retry', (second?.retries ?? 0) > 0 || second?.isDead === true],
    ['dead', second?.isDead === true],
    ['fix', memory.wasFixed],
    ['replay', second?.isDone === true],
  ]
  const open = facts.findIndex(([, isDone]) => !isDone)
  return facts.slice(0, open === -1 ? facts.length : open).map(([name]) => name)
}

/** Reads what was remembered in the browser; anything else is a fresh start. */
export function readGuide(text: string | null): GuideMemory {
  try {
    const { seen, ...rest } = { ...freshGuide, ...(JSON.parse(text ?? '{}') as Partial<GuideMemory>) }
    return Array.isArray(seen) ? { ...rest, seen } : freshGuide
  } catch {
    return freshGuide
  }
}

function unseen(eventId: string): Seen {
  return {
    eventId,
    receiptId: undefined,
    deliveries: 0,
    duplicates: 0,
    runs: 0,
    retries: 0,
    isDead: false,
    isDone: false,
  }
}

function afterDelivery(seen: Seen, { outcome }: LiveEvent): Seen {
  if (outcome === 'duplicate') return { ...seen, deliveries: seen.deliveries + 1, duplicates: seen.duplicates + 1 }
  if (outcome === 'processed') return { ...seen, deliveries: seen.deliveries + 1, isDone: true }
  return outcome === 'accepted' ? { ...seen, deliveries: seen.deliveries + 1 } : seen
}

function afterRun(seen: Seen, outcome: string | undefined): Seen {
  const runs = seen.runs + 1
  if (outcome === 'succeeded') return { ...seen, runs, isDone: true }
  if (outcome === 'retrying') return { ...seen, runs, retries: seen.retries + 1 }
  return outcome === 'dead' ? { ...seen, runs, isDead: true } : { ...seen, runs }
}
