import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { HeaderPair, ReplayResult } from '../store/capture-store.ts'
import { type HostAddress, pinned } from '../targets/http-address.ts'

/** One request, to be sent as it is. */
export type Outgoing = {
  readonly url: URL
  readonly addresses: readonly HostAddress[]
  readonly method: string
  readonly headers: readonly HeaderPair[]
  readonly content: Uint8Array
}

export type Answered = Omit<ReplayResult, 'attempt'>

/** What is kept of an answer. */
const longestTextBytes = 10_240

/** These are about the connection of before, or ours to say. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Sends once, over a connection of its own, and follows no redirect. Never rejects. */
export async function exchange(outgoing: Outgoing, signal: AbortSignal): Promise<Answered> {
  const startedAt = performance.now()
  try {
    const incoming = await send(outgoing, signal)
    const { text, isTruncated } = await readText(incoming)
    return {
      status: incoming.statusCode ?? 0,
      headers: pairsOf(incoming.rawHeaders),
      text,
      isTruncated,
      ...took(),
      error: undefined,
    }
  } catch (error) {
    return { status: undefined, headers: [], text: '', isTruncated: false, ...took(), error: reasonOf(error, signal) }
  }

  function took(): { readonly tookMilliseconds: number } {
    return { tookMilliseconds: performance.now() - startedAt }
  }
}

function send({ url, addresses, method, headers, content }: Outgoing, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const kept = headers.filter(([name]) => !ofConnection.has(name.toLowerCase()))
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
      ...urlToHttpOptions(url),
      method,
      // A flat list goes out in its order, with duplicates.
      headers: ['host', url.host, ...kept.flat(), 'content-length', String(content.byteLength), 'connection', 'close'],
      agent: false,
      lookup: pinned(addresses),
      signal,
    })
    request.on('response', resolve)
    request.on('error', reject)
    // Where the server wants to speak another protocol, this is the only sign.
    request.on('close', () => reject(new Error('The connection was closed without an answer.')))
    request.end(content)
  })
}

/** What broke off in the middle is told as far as it came. */
async function readText(incoming: IncomingMessage): Promise<{ readonly text: string; readonly isTruncated: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > longestTextBytes) break
    }
  } catch {
    return { text: textOf(chunks), isTruncated: true }
  }
  return { text: textOf(chunks), isTruncated: length > longestTextBytes }
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, longestTextBytes).toString('utf8').replaceAll('\u0000', '\ufffd')
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'No answer came in time.'
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? message : `It could not be reached: ${code}.`
}

function pairsOf(rawHeaders: readonly string[]): readonly HeaderPair[] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2] ?? '',
    rawHeaders[index * 2 + 1] ?? '',
  ])
}
