import { describeReply, isAcknowledged, type Reply } from './sender.ts'

/** How an entry is to be understood at a glance. */
export type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

/** One thing that happened in a scenario. Times are milliseconds since its begin. */
export type TimelineEntry =
  | {
      readonly kind: 'delivery'
      readonly label: string
      readonly eventId: string
      readonly from: number
      readonly to: number
      readonly outcome: string
      readonly tone: Tone
    }
  | { readonly kind: 'mark'; readonly label: string; readonly at: number; readonly tone: Tone }

/** Writes down what happens, for the evidence. */
export type Timeline = {
  readonly now: () => number
  readonly delivered: (delivery: {
    readonly label: string
    readonly eventId: string
    readonly from: number
    readonly reply: Reply
  }) => void
  readonly mark: (label: string, tone: Tone) => void
  readonly entries: () => readonly TimelineEntry[]
}

/** A timeline that begins now. */
export function createTimeline(): Timeline {
  const startedAt = performance.now()
  const entries: TimelineEntry[] = []
  const now = (): number => Math.round((performance.now() - startedAt) * 10) / 10
  return {
    now,
    delivered({ label, eventId, from, reply }) {
      entries.push({
        kind: 'delivery',
        label,
        eventId,
        from,
        to: now(),
        outcome: describeReply(reply),
        tone: toneOf(reply),
      })
    },
    mark: (label, tone) => void entries.push({ kind: 'mark', label, at: now(), tone }),
    entries: () => entries,
  }
}

function toneOf(reply: Reply): Tone {
  if (isAcknowledged(reply)) return 'good'
  if (reply.kind === 'answered') return reply.status === 409 || reply.status === 503 ? 'waiting' : 'bad'
  return reply.kind === 'hung_up' ? 'neutral' : 'bad'
}
