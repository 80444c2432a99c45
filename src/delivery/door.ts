import type { Answer, Provider, SourceSettings } from '../verify/provider.ts'
import type { BodyRoom } from './body-room.ts'
import type { Delivery } from './delivery.ts'
import type { Outcome } from './outcome.ts'

/** What has to be known of a source before its body is read. */
export type DoorSettings = Pick<SourceSettings, 'maximumBodyBytes' | 'decompress'> & {
  readonly methods: readonly string[]
  /** Statuses for what is refused, where ours would cost events. */
  readonly refusalStatus?: Provider['refusalStatus']
}

/** A request that was turned away before it became a delivery. */
export type Refusal = Extract<
  Outcome,
  {
    readonly kind:
      | 'malformed'
      | 'too_large'
      | 'too_slow'
      | 'unsupported_encoding'
      | 'method_not_allowed'
      | 'unknown_source'
      | 'unavailable'
  }
>

/** All that an adapter knows of an inbox: where requests are handed in. */
export type Door = {
  /** What large bodies have to share. Without it, as many are read as come. */
  readonly room?: BodyRoom
  /** Undefined for whatever is not the name of a source: names come from the path, so also for `constructor`. */
  readonly settingsOf: (source: string) => DoorSettings | undefined
  readonly receive: (source: string, delivery: Delivery) => Promise<Outcome>
  readonly answer: (source: string, delivery: Delivery, outcome: Outcome) => Answer
  /** Told of what was turned away without `receive`, for counts and logs. */
  readonly onRefused?: (source: string, refusal: Refusal) => void
  /** Told of mistakes and failures that the sender only sees as a 500. */
  readonly onError?: (error: unknown) => void
  /** Writes what is only counted in memory yet, for platforms that stop a process as soon as it has answered. */
  readonly flush?: () => Promise<void>
  /** What is left to do once a request is answered, for platforms that run nothing between requests. */
  readonly afterwards?: Afterwards
}

export type Afterwards = {
  /** Whether something may be due now: an event that was queued, or messages of one that was processed. */
  readonly isWorkLeft: (outcome: Outcome) => boolean
  /** Works off what is due. */
  readonly drain: (options: { readonly untilMs: number }) => Promise<unknown>
}

/** The part of an inbox that adapters need. */
export type HasDoor = { readonly door: Door }
