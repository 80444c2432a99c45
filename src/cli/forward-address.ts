import { wrongUsage } from './failure.ts'

/** The address that events are forwarded to. A host and a port alone are taken for `http:`, as one types them. */
export function forwardAddress(text: string): URL {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol)
  if (!isWeb || /\s/.test(text)) {
    throw wrongUsage('--forward is not an address: give one such as http://localhost:3000/webhooks.')
  }
  if (url.username !== '' || url.password !== '') {
    throw wrongUsage('--forward holds a user name or password, which is not sent: leave it out.')
  }
  return url
}

/** As it is shown: without the query, which may hold a key. */
export function shownAddress({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}
