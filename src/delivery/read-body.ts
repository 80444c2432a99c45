import type { Readable } from 'node:stream'
import type { Outcome } from './outcome.ts'

/** Default for how long a sender may take over its body. */
export const defaultReadSeconds = 10

/** How much is read, and for how long. */
export type ReadLimits = {
  readonly limitBytes: number
  readonly readSeconds: number
  /** The content-length header, as it came. */
  readonly announcedLength: string | undefined
}

/** A body that came in full, or why none did. */
export type BodyRead =
  | { readonly kind: 'complete'; readonly body: Uint8Array }
  | Extract<Outcome, { readonly kind: 'too_large' | 'too_slow' | 'malformed' }>

/** What became of a body whose sender went away. */
export const cutShort: BodyRead = { kind: 'malformed', detail: 'The body ended before its announced length.' }

/** Reads a web stream. What passes the limit is neither kept nor waited for. */
export async function readWebBody(stream: ReadableStream<Uint8Array> | null, limits: ReadLimits): Promise<BodyRead> {
  const refusal = refuseAnnounced(limits)
  if (refusal !== undefined) return refusal
  const collector = createCollector(limits)
  if (stream === null) return collector.finish()

  const reader = stream.getReader()
  // Cancelling also ends a read that is waiting for the next chunk.
  const giveUp = (): void => void reader.cancel().catch(() => {})
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    giveUp()
  }, limits.readSeconds * 1000)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isLate) return { kind: 'too_slow' }
      if (done) return collector.finish()
      if (collector.add(value) === 'full') {
        giveUp()
        return { kind: 'too_large', limitBytes: limits.limitBytes }
      }
    }
  } catch {
    // The stream breaks when the sender goes away.
    return cutShort
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads a Node stream. The stream is only paused when it is refused, never destroyed: an answer still has to go out
 * on its socket.
 */
export function readNodeBody(stream: Readable, limits: ReadLimits): Promise<BodyRead> {
  const refusal = refuseAnnounced(limits)
  if (refusal !== undefined) return Promise.resolve(refusal)
  const collector = createCollector(limits)

  return new Promise((resolve) => {
    let isSettled = false
    const settle = (read: BodyRead): void => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      // What has come to its end has nothing more to say.
      if (read.kind !== 'complete') stream.off('data', onData).pause()
      resolve(read)
    }
    const onData = (chunk: Uint8Array): void => {
      if (collector.add(chunk) === 'full') settle({ kind: 'too_large', limitBytes: limits.limitBytes })
    }
    const onBroken = (): void => settle(cutShort)
    const timer = setTimeout(() => settle({ kind: 'too_slow' }), limits.readSeconds * 1000)
    // Stays for good: an error of a stream that nobody listens to would end the process.
    stream.on('error', onBroken)
    stream.on('close', onBroken)
    stream.on('end', () => settle(collector.finish()))
    if (stream.destroyed) onBroken()
    else stream.on('data', onData)
  })
}

/** Judges a body that something else has read already. */
export function checkBody(body: Uint8Array, limitBytes: number): BodyRead {
  return body.byteLength > limitBytes ? { kind: 'too_large', limitBytes } : { kind: 'complete', body }
}

/** Refuses by the announced length alone, before a byte is read. */
function refuseAnnounced({ announcedLength, limitBytes }: ReadLimits): BodyRead | undefined {
  if (announcedLength === undefined) return undefined
  if (!/^\d{1,15}$/.test(announcedLength)) {
    return { kind: 'malformed', detail: 'The content-length is not one whole number.' }
  }
  return Number(announcedLength) > limitBytes ? { kind: 'too_large', limitBytes } : undefined
}

/** A chunk costs far more memory than its bytes, so a body sent in tiny ones is joined as it comes. */
const chunksPerBlock = 256

type Collector = { readonly add: (chunk: Uint8Array) => 'taken' | 'full'; readonly finish: () => BodyRead }

function createCollector({ limitBytes, announcedLength }: ReadLimits): Collector {
  const blocks: Uint8Array[] = []
  let chunks: Uint8Array[] = []
  let bytes = 0
  return {
    add(chunk) {
      bytes += chunk.byteLength
      if (bytes > limitBytes) return 'full'
      chunks.push(chunk)
      if (chunks.length === chunksPerBlock) {
        blocks.push(Buffer.concat(chunks))
        chunks = []
      }
      return 'taken'
    },
    finish() {
      if (announcedLength !== undefined && bytes < Number(announcedLength)) return cutShort
      const body = blocks.length === 0 ? joined(chunks, bytes) : joined([...blocks, ...chunks], bytes)
      return { kind: 'complete', body }
    },
  }
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const [first] = parts
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts, bytes)
}
