import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { headersOf, type NodeRequest, urlOf } from '../adapters/node-request.ts'
import type { Surroundings } from './surroundings.ts'

/** A handler of node:http and of Express, Connect and the like. */
export type AdminNodeHandler = (request: IncomingMessage, response: ServerResponse) => void

export type NodeHandlerParts = {
  readonly handle: (
    request: Request,
    surroundings: Omit<Surroundings, 'mount'> & { readonly mount?: string },
  ) => Promise<Response>
  readonly trustProxy: boolean
  readonly onError: (error: unknown) => void
}

/** Turns requests of node:http into those of the platform, and sends answers as fast as the reader takes them. */
export function createNodeHandler({ handle, trustProxy, onError }: NodeHandlerParts): AdminNodeHandler {
  return (request, response) => {
    void answer(request, response).catch((error: unknown) => {
      onError(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  }

  async function answer(incoming: MountedRequest, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    outgoing.on('error', () => gone.abort())
    const request = toRequest(incoming, trustProxy, gone.signal)
    if (request === undefined) {
      outgoing.writeHead(405, { allow: 'GET, POST, PUT, DELETE', connection: 'close' }).end()
      return
    }
    const response = await handle(request, {
      remoteAddress: incoming.socket.remoteAddress,
      // Express takes the path that it is mounted under off the URL and keeps it here.
      ...(incoming.baseUrl !== undefined && incoming.baseUrl !== '' && { mount: incoming.baseUrl }),
    })
    const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) headers['set-cookie'] = cookies
    // What was not read of the body stands between this answer and the next request.
    if (!incoming.complete && incoming.httpVersionMajor === 1) headers['connection'] = 'close'
    outgoing.writeHead(response.status, headers)
    if (response.body === null) {
      outgoing.end()
      return
    }
    outgoing.flushHeaders()
    try {
      await pipeline(Readable.fromWeb(response.body), outgoing)
    } catch {
      // The reader went away.
    }
  }
}

type MountedRequest = NodeRequest & { readonly baseUrl?: string }

/** Undefined for methods that the platform's requests cannot have. */
function toRequest(incoming: MountedRequest, trustProxy: boolean, signal: AbortSignal): Request | undefined {
  const { method = 'GET' } = incoming
  const received = headersOf(incoming)
  const headers = new Headers()
  for (const [name, values] of received) for (const value of values) headers.append(name, value)
  const isTaken = incoming.readableDidRead || incoming.readableEnded
  // They tell of the bytes that were sent, and these are gone.
  if (isTaken) for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  try {
    return new Request(urlOf(incoming, received, trustProxy ? 'trusted' : 'untrusted'), {
      method,
      headers,
      signal,
      ...(hasBody && {
        body: isTaken ? keptBody(incoming) : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>),
        duplex: 'half',
      }),
    })
  } catch {
    return undefined
  }
}

/** What a parser that came before has kept or made of the body; nothing, if it was thrown away. */
function keptBody({ body }: MountedRequest): Uint8Array<ArrayBuffer> | string {
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}
