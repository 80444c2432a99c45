import type { SourceWatch } from '../store/recovery-store.ts'

/** A time in which deliveries of a source may have been missed. */
export type Outage = {
  readonly source: string
  readonly from: Date
  readonly to: Date
  /** `away`: nobody looked. `silent`: nothing came. `heard_again`: something came, after a silence. */
  readonly reason: 'away' | 'silent' | 'heard_again' | 'interrupted'
}

/** Deliveries from shortly before the outage may have failed already. */
const marginMilliseconds = 600_000
/** What is younger may be on its way. */
const settleMilliseconds = 60_000
/** However quiet a source is, it is asked for once a day. */
const longestPauseSeconds = 43_200

/** Whether the provider is to be asked. Nothing is concluded at the first look. */
export function findOutage(watch: SourceWatch, outageSeconds: number): Outage | undefined {
  const { source, now, lookedAt, heardAt, heardBefore } = watch
  if (lookedAt === undefined) return undefined
  const to = new Date(now.getTime() - settleMilliseconds)
  const since = (start: Date, reason: Outage['reason']): Outage | undefined => {
    const from = new Date(start.getTime() - marginMilliseconds)
    return from < to ? { source, from, to, reason } : undefined
  }
  if (secondsBetween(lookedAt, now) >= outageSeconds) return since(lookedAt, 'away')
  const limit = silenceLimit(watch, outageSeconds)
  if (heardBefore !== undefined && heardAt > heardBefore && secondsBetween(heardBefore, heardAt) >= limit) {
    return since(heardBefore, 'heard_again')
  }
  return secondsBetween(heardAt, now) >= limit ? since(heardAt, 'silent') : undefined
}

/** What is known after this look. */
export function watched(watch: SourceWatch, outageSeconds: number): SourceWatch {
  const { now, heardAt, heardBefore = heardAt, pauseSeconds } = watch
  const ended = secondsBetween(heardBefore, heardAt)
  const current = secondsBetween(heardAt, now)
  // A silence that was asked about is usual from now on: only one of twice its length is worth another question.
  const asked = current >= silenceLimit(watch, outageSeconds) ? current : 0
  return { ...watch, pauseSeconds: Math.min(longestPauseSeconds, Math.max(pauseSeconds, ended, asked)) }
}

function silenceLimit({ pauseSeconds }: SourceWatch, outageSeconds: number): number {
  return Math.max(outageSeconds, 2 * pauseSeconds)
}

function secondsBetween(one: Date, other: Date): number {
  return (other.getTime() - one.getTime()) / 1000
}
