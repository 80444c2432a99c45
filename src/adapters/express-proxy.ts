import type { IncomingMessage } from 'node:http'

/** What Express adds to a request that is needed here. */
type ExpressRequest = IncomingMessage & { readonly app?: { readonly get?: (name: string) => unknown } }

/** Whether the application's own setting `trust proxy` lets it believe whoever is at the other end of the connection. */
export function proxyOfExpress({ app, socket }: ExpressRequest): 'trusted' | 'untrusted' {
  const isTrusted: unknown = app?.get?.('trust proxy fn')
  return typeof isTrusted === 'function' && isTrusted(socket.remoteAddress, 0) === true ? 'trusted' : 'untrusted'
}
