/** Where a request came from, as far as the server knows. */
export type Peer = { readonly remoteAddress: string | undefined }

/** Whoever passes a request on for others says so in one of these. */
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether a request was made on this machine by somebody who called this machine by its own name. A page elsewhere whose name was made to
 * lead here (DNS rebinding) has a name that is not one of these, and a proxy that lets others in says for whom.
 */
export function isLocal(request: Request, { remoteAddress }: Peer): boolean {
  return (
    remoteAddress !== undefined &&
    isLoopbackAddress(remoteAddress) &&
    isLoopbackName(new URL(request.url).hostname) &&
    !forwardingHeaders.some((name) => request.headers.has(name))
  )
}

/** Whether a browser says that another site's page has made this request. Programs that are no browsers say nothing. */
export function isFromElsewhere({ url, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  const origin = headers.get('origin')
  if (origin === null) return false
  // The protocol is left aside: behind a proxy that speaks TLS for us, ours is another one.
  return !URL.canParse(origin) || new URL(origin).host !== new URL(url).host
}

/** An address or a name that leads to this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return isLoopbackAddress(host) || isLoopbackName(host)
}

function isLoopbackAddress(address: string): boolean {
  return /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address) || address === '::1'
}

function isLoopbackName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || isLoopbackAddress(name)
}
