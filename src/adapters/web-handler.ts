import type { ReportError } from '../delivery/admit.ts'
import type { HasDoor } from '../delivery/door.ts'
import { createFetchHandler, type FetchHandler } from './fetch.ts'
import { type AfterwardsOptions, workAfterwards } from './work-afterwards.ts'

/** Options of the handlers for frameworks that speak `Request` and `Response`. */
export type WebHandlerOptions = AfterwardsOptions & {
  /** Without it the last segment of the path names the source. */
  readonly source?: string | undefined
  /** Believe the `x-forwarded-proto` and `x-forwarded-host` headers. Only behind a proxy that sets them. Default false. */
  readonly trustProxy?: boolean | undefined
  /** How long a sender may take over its body. Default 10. */
  readonly readSeconds?: number | undefined
  /** Told of mistakes and failures that the sender only sees as a 500. Default: the inbox's log. */
  readonly onError?: ReportError | undefined
}

/** What these frameworks have in common. `advice` says there how to keep others from reading the body. */
export function createWebHandler(
  inbox: HasDoor,
  sourceOrOptions: string | WebHandlerOptions,
  { advice, urlOf = ({ url }) => url }: { readonly advice: string; readonly urlOf?: (request: Request) => string },
): FetchHandler {
  const options = typeof sourceOrOptions === 'string' ? { source: sourceOrOptions } : sourceOrOptions
  const { source, trustProxy = false, readSeconds, onError } = options
  const door = workAfterwards(inbox.door, options)
  const calledUrlOf = trustProxy ? (request: Request) => forwardedUrl(urlOf(request), request) : urlOf
  return createFetchHandler({ door, source, readSeconds, onError, advice, urlOf: calledUrlOf })
}

/** The URL under the host and the protocol that a proxy was called by. What it forwards that is none is left out. */
function forwardedUrl(url: string, { headers }: Request): string {
  const [, ownProtocol = '', ownHost = '', rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  const forwarded = firstOf(headers.get('x-forwarded-proto'))?.toLowerCase()
  const protocol = forwarded === 'https' || forwarded === 'http' ? forwarded : ownProtocol
  const host = firstOf(headers.get('x-forwarded-host')) ?? ownHost
  return withHost(protocol, host, rest) ?? url
}

/** The URL by the host that the sender named, for frameworks that put their own name in its place. */
export function urlByHostHeader({ url, headers }: Request): string {
  const [, protocol = '', , rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  return withHost(protocol, headers.get('host') ?? '', rest) ?? url
}

/** Undefined for a host that is none: it would make every later reading of the URL throw. */
function withHost(protocol: string, host: string, rest: string): string | undefined {
  const url = `${protocol}://${host}${rest}`
  return /^[^\s/?#@\\]+$/.test(host) && URL.canParse(url) ? url : undefined
}

function firstOf(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim()
}
