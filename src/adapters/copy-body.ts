import type { IncomingMessage } from 'node:http'

/** The bytes of a request, copied while somebody else reads them. */
export type BodyCopy = {
  /** Undefined while it is not whole, and for good if it is too large or was cut short. */
  readonly whole: () => Uint8Array | undefined
  /** Told once, in a turn of its own. */
  readonly onWhole: (listener: () => void) => void
}

/**
 * Copies what the parser puts into the stream from now on, and what waits in it. To listen for the bytes would set the stream flowing
 * before the handler is there to read it; to read them and put them back would make it look as if it had been read.
 */
export function copyBody(request: IncomingMessage, limitBytes: number): BodyCopy {
  const waiting = waitingIn(request)
  let parts: Buffer[] | undefined = request.readableLength > limitBytes ? undefined : waiting?.chunks
  let bytes = request.readableLength
  let isWhole = waiting?.isEnded === true
  let listener: (() => void) | undefined

  if (parts !== undefined && !isWhole) {
    const push = request.push.bind(request)
    request.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk === null) {
        isWhole = true
        // What is done with it must not be in the way of the handler.
        setImmediate(() => listener?.())
      } else {
        add(chunk)
      }
      return push(chunk, encoding)
    }
  }

  return {
    whole: () => (isWhole && parts !== undefined && isComplete() ? Buffer.concat(parts) : undefined),
    onWhole(given) {
      listener = given
      if (isWhole) setImmediate(given)
    },
  }

  function add(chunk: unknown): void {
    if (!(chunk instanceof Uint8Array)) parts = undefined
    else bytes += chunk.byteLength
    if (bytes > limitBytes) parts = undefined
    // A copy, because the bytes belong to the handler, who may do with them what it likes.
    parts?.push(Buffer.from(chunk as Uint8Array))
  }

  /** Node throws away the rest of a body that nobody reads, and says that it has ended all the same. */
  function isComplete(): boolean {
    const announced = request.headers['content-length']
    return announced === undefined || Number(announced) === bytes
  }
}

/**
 * What came before anybody reads, as it does where something in front was asynchronous. There is no public way to look at it without
 * reading; where it does not look as expected, the body counts as not seen.
 */
function waitingIn(request: IncomingMessage): { readonly chunks: Buffer[]; readonly isEnded: boolean } | undefined {
  if (request.readableEncoding !== null) return undefined
  const isEnded = request.complete
  if (request.readableLength === 0) return { chunks: [], isEnded }
  const { buffer } = Reflect.get(request, '_readableState') as { readonly buffer?: Iterable<unknown> }
  if (buffer === undefined || !(Symbol.iterator in buffer)) return undefined
  const chunks: Buffer[] = []
  let bytes = 0
  for (const chunk of buffer) {
    if (!(chunk instanceof Uint8Array)) return undefined
    chunks.push(Buffer.from(chunk))
    bytes += chunk.byteLength
  }
  return bytes === request.readableLength ? { chunks, isEnded } : undefined
}
