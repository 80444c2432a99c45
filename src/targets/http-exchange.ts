import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { urlToHttpOptions } from 'node:url'

/** What came back, as far as it is wanted. */
export type HttpAnswer = {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The beginning of the body. */
  readonly excerpt: string
}

export type HttpRequest = {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Where connections go; no other look-up is made. */
  readonly lookup: LookupFunction
  /** Uses no connection that was kept, and keeps none. */
  readonly isConnectionNew?: boolean
}

/** Connections that are kept for the next message. Redirects, proxies and cookies are unknown to it. */
export type HttpConnections = {
  readonly exchange: (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>
  readonly close: () => void
}

export type ConnectionOptions = {
  readonly concurrency: number
  readonly trustedCertificates: string | readonly string[] | undefined
}

/** An answer is only read to free the connection for the next message; a longer one costs the connection. */
const longestAnswerBytes = 64 * 1024

/** Far more than an error quotes, so that nothing to be hidden is cut in two by the end. */
const excerptBytes = 4096

/** Opens up to `concurrency` connections to one host. */
export function openConnections({ concurrency, trustedCertificates }: ConnectionOptions): HttpConnections {
  const maxSockets = concurrency
  const trust = trustedCertificates === undefined ? {} : { ca: [trustedCertificates].flat() }
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets }),
    https: new HttpsAgent({ keepAlive: true, maxSockets }),
  }

  function exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const { url, method, headers, body, lookup } = request
      const { isSecure, agent } = connectionFor(request)
      const outgoing = (isSecure ? httpsRequest : httpRequest)({
        ...urlToHttpOptions(url),
        ...trust,
        method,
        headers: { ...headers, 'content-length': String(body.length) },
        agent,
        lookup,
        signal,
      })
      outgoing.on('response', (incoming) => resolve(readAnswer(incoming)))
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection just when it was used again. That says nothing about the message.
        const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        if (isStale) resolve(exchange({ ...request, isConnectionNew: true }, signal))
        else reject(error)
      })
      // Where the server wants to speak another protocol, this is the only sign.
      outgoing.on('close', () => reject(new Error('The connection was closed without an answer.')))
      outgoing.end(body)
    })
  }

  function connectionFor({ url, isConnectionNew }: HttpRequest): { isSecure: boolean; agent: HttpAgent | false } {
    const isSecure = url.protocol === 'https:'
    return { isSecure, agent: isConnectionNew === true ? false : isSecure ? agents.https : agents.http }
  }

  return {
    exchange,
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** Never fails: the status has been given, and whatever happens to the body does not take it back. */
async function readAnswer(incoming: IncomingMessage): Promise<HttpAnswer> {
  const kept: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      if (length < excerptBytes) kept.push(chunk.subarray(0, excerptBytes - length))
      length += chunk.length
      // Leaving the loop destroys the connection.
      if (length > longestAnswerBytes) break
    }
  } catch {
    // Broken off or out of time.
  }
  return {
    status: incoming.statusCode ?? 0,
    retryAfter: incoming.headers['retry-after'],
    excerpt: Buffer.concat(kept).toString('utf8'),
  }
}
