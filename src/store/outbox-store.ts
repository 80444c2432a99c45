import type { OutboxMessage } from '../receipt/receipt.ts'
import type { OutgoingMessage } from '../targets/target.ts'

/** The outbox as the relay works on it: the same leases and fences as the queue of events. */
export type OutboxStore = {
  /** Takes due messages of one target: a new fence each, attempts + 1. No message is ever handed to two relays at once. */
  readonly claim: (request: MessageClaimRequest) => Promise<readonly ClaimedMessage[]>
  /** Marks them as published. Lost leases are passed over: whoever has them now decides. Answers with how many it was. */
  readonly publish: (leases: readonly MessageLease[]) => Promise<number>
  /** Puts them back for later. */
  readonly retryLater: (failures: readonly MessageFailure[]) => Promise<void>
  /** Makes them dead letters. */
  readonly deadLetter: (failures: readonly MessageFailure[]) => Promise<void>
  /** Gives back what was claimed and not sent, as if it had never been claimed. */
  readonly handBack: (leases: readonly MessageLease[]) => Promise<void>
  /** Extends leases that are still held; answers with the ids of those. */
  readonly renewLeases: (leases: readonly MessageLease[], leaseSeconds: number) => Promise<readonly string[]>
  /** Milliseconds until a message of the target is due, undefined if there is none. */
  readonly millisecondsUntilDue: (scope: {
    readonly environment: string
    readonly target: string
  }) => Promise<number | undefined>
  readonly find: (environment: string, filter: MessageFilter) => Promise<readonly OutboxMessage[]>
  /** Puts dead letters back, with the same key. Answers with their ids. */
  readonly replay: (environment: string, filter: MessageFilter) => Promise<readonly string[]>
}

export type MessageClaimRequest = {
  readonly environment: string
  readonly target: string
  readonly worker: string
  readonly limit: number
  readonly leaseSeconds: number
}

/** A claim's proof. A higher fence for the same message makes this one worthless. */
export type MessageLease = { readonly messageId: string; readonly fence: string }

export type ClaimedMessage = {
  readonly lease: MessageLease
  readonly message: OutgoingMessage
  /** Others of the same order may wait for it. */
  readonly isOrdered: boolean
}

export type MessageFailure = { readonly lease: MessageLease; readonly error: string; readonly seconds: number }

/** Which messages are meant. Everything given must hold. */
export type MessageFilter = {
  readonly id?: string
  readonly target?: string
  readonly key?: string
  readonly receiptId?: string
  readonly status?: OutboxMessage['status']
  /** Only messages with a smaller id: the last one of the page before. */
  readonly beforeId?: string
  /** Any of these. */
  readonly ids?: readonly string[]
  /** Newest first. Default 50. */
  readonly limit?: number
}
