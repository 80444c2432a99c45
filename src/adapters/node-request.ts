import type { IncomingMessage } from 'node:http'
import { type DeliveryHeaders, firstHeader, toDeliveryHeaders } from '../delivery/delivery.ts'

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
  const pairs: (readonly [string, string])[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    // HTTP/2 puts the request line there as well, and the host under another name.
    const name = rawHeaders[index]?.replace(/^:authority$/, 'host') ?? ''
    if (!name.startsWith(':')) pairs.push([name, rawHeaders[index + 1] ?? ''])
  }
  return toDeliveryHeaders(pairs)
}

/** The path and query as they were sent. */
export function pathOf({ originalUrl, url }: NodeRequest): string {
  return originalUrl ?? url ?? '/'
}

/**
 * The full URL as it looks from here. Anyone can send the `x-forwarded-` headers, so they count only where a proxy
 * is known to set them.
 */
export function urlOf(request: NodeRequest, headers: DeliveryHeaders, proxy: 'trusted' | 'untrusted'): string {
  const path = pathOf(request)
  if (/^https?:\/\//i.test(path)) return path
  const forwarded = (name: string): string | undefined =>
    proxy === 'trusted' ? firstHeader(headers, name)?.split(',')[0]?.trim() : undefined

  const forwardedProtocol = forwarded('x-forwarded-proto')?.toLowerCase()
  const ownProtocol = 'encrypted' in request.socket && request.socket.encrypted === true ? 'https' : 'http'
  const protocol = forwardedProtocol === 'https' || forwardedProtocol === 'http' ? forwardedProtocol : ownProtocol
  const host = forwarded('x-forwarded-host') ?? firstHeader(headers, 'host') ?? 'localhost'
  const url = `${protocol}://${host}${path}`
  // A host that is none would make every later reading of the URL throw.
  return URL.canParse(url) ? url : `${protocol}://localhost${path.startsWith('/') ? path : '/'}`
}
