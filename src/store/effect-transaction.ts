import type { EventKey } from '../receipt/receipt.ts'
import type { RunToNote } from './automation-store.ts'
import type { DatastoreTransaction } from './datastore-store.ts'

/** What a handler's effects do in its transaction. All of it is undone with the transaction. */
export type EffectTransaction = {
  /** The first with this key is told so; anyone else waits for its end and gets what it kept. */
  readonly claimEffect: (
    effect: EffectKey,
  ) => Promise<{ readonly kind: 'first' } | { readonly kind: 'known'; readonly result: string | undefined }>
  readonly keepResult: (effect: EffectKey, result: string | undefined) => Promise<void>
  /** True if the version is newer than every one before (or equal, if that is allowed), whichever transaction commits first. */
  readonly raiseVersion: (version: VersionToRaise) => Promise<'raised' | 'stale' | 'other_kind'>
  /** False if another event has told this handler of the same change. */
  readonly claimChange: (change: EffectKey & { readonly source: string }) => Promise<boolean>
  /** False if the outbox has a message with this key for the target already. */
  readonly addMessage: (message: MessageToAdd) => Promise<boolean>
  readonly datastore: DatastoreTransaction
  /** The trace of an automation, which is there if and only if what it did is. */
  readonly noteAutomationRun: (run: RunToNote) => Promise<void>
}

export type EffectKey = {
  readonly environment: string
  readonly key: string
  readonly receiptId: string
  readonly handler: string
}

export type VersionToRaise = Omit<EffectKey, 'handler'> & {
  /** Only versions of one kind can be compared. */
  readonly kind: string
  /** Sorts bytewise as versions of its kind do. */
  readonly version: string
  /** As the user gave it. */
  readonly shown: string
  readonly whenEqual: 'apply' | 'stale'
}

export type MessageToAdd = EventKey & {
  readonly receiptId: string
  readonly target: string
  readonly key: string
  /** JSON. */
  readonly message: string
  readonly delaySeconds: number
  readonly orderKey: string | undefined
  /** The span that added it, where runs are traced. */
  readonly traceparent?: string | undefined
}
