import type { CaptureAnswer, CaptureProblem, HeaderPair } from '../store/capture-store.ts'

/** All that a server knows of capture endpoints: where requests are handed in, and what they are answered with. */
export type CaptureDoor = {
  readonly maximumBodyBytes: number
  /** Writes a request down and decides its answer. Never rejects; when it resolves with a recorded one, that is durable. */
  readonly receive: (incoming: IncomingCapture) => Promise<CaptureAnswer>
  /** Aborted when requests that are kept waiting must go. */
  readonly closing: AbortSignal
}

/** A request as a server has read it. */
export type IncomingCapture = {
  readonly endpoint: string
  readonly method: string
  /** What followed the name of the endpoint: empty, or with a slash at its beginning. */
  readonly path: string
  readonly query: string
  readonly headers: readonly HeaderPair[]
  readonly content: Uint8Array
  readonly bytes: number
  readonly remoteAddress: string
  readonly tookMilliseconds: number
  readonly problem: CaptureProblem | undefined
}

/** What adapters need of captures. */
export type HasCaptureDoor = { readonly door: CaptureDoor }
