import type { Delivery } from '../index.ts'

/** What came back for one request. */
export type Reply =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly retryAfterSeconds: number | undefined
      /** Lower-case names. */
      readonly headers?: Readonly<Record<string, string>>
      /** The beginning of it. */
      readonly body?: string
    }
  /** This side closed the connection before the answer, on purpose. */
  | { readonly kind: 'hung_up' }
  | { readonly kind: 'no_answer'; readonly reason: string; readonly isTimeout?: true }

/** A request that is under way but for its last byte. */
export type LoadedRequest = {
  /** Sends the last byte. Never rejects. */
  readonly release: (options?: { readonly hangUpAfterMilliseconds?: number | undefined }) => Promise<Reply>
  /** Breaks the connection off: the last byte never comes. */
  readonly abandon: () => void
}

/** Brings deliveries to the endpoint. */
export type Sender = {
  /** Opens the connection and sends all but the last byte, so that many requests can be completed at the same moment. */
  readonly load: (delivery: Delivery) => Promise<LoadedRequest>
}

/** True for an answer that ends the provider's retries. */
export function isAcknowledged(reply: Reply): boolean {
  return reply.kind === 'answered' && reply.status >= 200 && reply.status < 300
}

/** In a word or two, for people. */
export function describeReply(reply: Reply): string {
  switch (reply.kind) {
    case 'answered':
      return String(reply.status)
    case 'hung_up':
      return 'hung up'
    case 'no_answer':
      return reply.reason
  }
}
