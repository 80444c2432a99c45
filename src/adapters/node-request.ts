import type { IncomingMessage } from 'node:http'
import { type DeliveryHeaders, firstHeader } from '../delivery/delivery.ts'

/** A request of node:http, and what frameworks are known to add to it. */
export type NodeRequest = IncomingMessage & {
  /** Express strips the mount path from `url` and keeps the whole here. */
  readonly originalUrl?: string
  readonly body?: unknown
  /** Exact bytes, where a middleware keeps them. */
  readonly rawBody?: unknown
}

/** The headers with every repetition: `request.headers` joins some and drops others. */
export function headersOf({ rawHeaders }: IncomingMessage): DeliveryHeaders {
  const headers = new Map<string, string[]>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? ''
    // HTTP/2 puts the request line there as well, and the host under another name.
    const name = sent === ':authority' ? 'host' : sent.toLowerCase()
    if (name.startsWith(':')) continue
    const value = rawHeaders[index + 1] ?? ''
    const values = headers.get(name)
    if (values === undefined) headers.set(name, [value])
    else values.push(value)
  }
  return headers
}

/** The path and query as they were sent. */
export function pathOf({ originalUrl, url }: NodeRequest): string {
  return originalUrl ?? url ?? '/'
}

/** The full URL as it looks from here. */
export function urlOf(request: NodeRequest, headers: DeliveryHeaders, proxy: 'trusted' | 'untrusted'): string {
  const isEncrypted = 'encrypted' in request.socket && request.socket.encrypted === true
  return calledUrl({ target: pathOf(request), protocol: isEncrypted ? 'https' : 'http', headers, proxy })
}

/**
 * The URL that was called. Anyone can send the `x-forwarded-` headers, so they count only where a proxy is known to set them.
 */
export function calledUrl({ target, protocol: ownProtocol, headers, proxy }: Call): string {
  if (!target.startsWith('/') && /^https?:\/\//i.test(target)) return target
  const forwarded = (name: string): string | undefined =>
    proxy === 'trusted' ? firstHeader(headers, name)?.split(',')[0]?.trim() : undefined

  const forwardedProtocol = forwarded('x-forwarded-proto')?.toLowerCase()
  const protocol = forwardedProtocol === 'https' || forwardedProtocol === 'http' ? forwardedProtocol : ownProtocol
  const host = forwarded('x-forwarded-host') ?? firstHeader(headers, 'host') ?? 'localhost'
  const isPath = target.startsWith('/')
  // A host that is none would make every later reading of the URL throw.
  return isPath && isHost(host) ? `${protocol}://${host}${target}` : `${protocol}://localhost${isPath ? target : '/'}`
}

type Call = {
  /** As the request line has it. */
  readonly target: string
  readonly protocol: 'http' | 'https'
  readonly headers: DeliveryHeaders
  readonly proxy: 'trusted' | 'untrusted'
}

/** The same host calls again and again, so that the last answer is kept. */
let lastHost = ''

function isHost(host: string): boolean {
  if (host === lastHost) return true
  // What would end the host, or begin with a name and a password, is no host.
  const isOne = /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}/`)
  if (isOne) lastHost = host
  return isOne
}
