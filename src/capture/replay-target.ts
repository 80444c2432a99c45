import {
  addressRule,
  allowedAddresses,
  type HostAddress,
  literalAddress,
  type Resolve,
} from '../targets/http-address.ts'
import type { ReplayOptions } from './options.ts'

/** Where a replay goes, looked up and allowed. */
export type ReplayTarget = {
  readonly kind: 'target'
  readonly url: URL
  /** No other address is connected to, whatever the name says later. */
  readonly addresses: readonly HostAddress[]
  /** The source of this gateway that it is. */
  readonly source: string | undefined
}

export type RefusedTarget = { readonly kind: 'refused'; readonly message: string }

export type TargetParts = {
  readonly options: Required<ReplayOptions>
  /** Where this gateway listens; undefined where nobody knows. */
  readonly ownUrl: string | undefined
  readonly resolve: Resolve
}

/** Public addresses by https, what the options allow besides, and this gateway's own `/in/<source>` and `/capture/<name>`. */
export async function readTarget(given: string, parts: TargetParts): Promise<ReplayTarget | RefusedTarget> {
  const { options, ownUrl, resolve } = parts
  if (given.startsWith('/') && ownUrl === undefined)
    return refused('It is not known where this gateway listens: give a whole address.')
  const url = URL.canParse(given, ownUrl) ? new URL(given, ownUrl) : undefined
  if (url === undefined)
    return refused('The target is not an address: give https://…, or /in/<source> for this gateway.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused(`The target begins with ${url.protocol}: give https: or http:.`)
  if (url.username !== '' || url.password !== '')
    return refused('The target holds a user name or password: edit the header authorization instead.')
  if (ownUrl !== undefined && url.origin === new URL(ownUrl).origin) return ownTarget(url, resolve)
  const isPublic = addressRule(false)
  try {
    const addresses = await allowedAddresses(url, { resolve, isAllowed: addressRule(options.allowPrivateAddresses) })
    const isOpen = url.protocol === 'http:' && addresses.some(({ address }) => isPublic(address))
    if (isOpen && !options.allowInsecure)
      return refused(
        'The target begins with http:, where anybody on the way can read along: give https:, or set captures.replay.allowInsecure.',
      )
    return { kind: 'target', url, addresses, source: undefined }
  } catch (error) {
    return refused(refusalText(error, url))
  }
}

/** Nothing else of this server: the admin surface must not be called by itself. */
async function ownTarget(url: URL, resolve: Resolve): Promise<ReplayTarget | RefusedTarget> {
  const [, kind, name] = /^\/(in|capture)\/([^/]+)/.exec(url.pathname) ?? []
  if (kind === undefined) return refused('Of this gateway only /in/<source> and /capture/<name> can be sent to.')
  const literal = literalAddress(url)
  const addresses =
    literal === undefined ? await resolve(url.hostname) : [{ address: literal, family: literal.includes(':') ? 6 : 4 }]
  return { kind: 'target', url, addresses, source: kind === 'in' ? name : undefined }
}

function refusalText(error: unknown, { hostname }: URL): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== undefined) return `The address of ${hostname} could not be found (${code}).`
  return message.replace('allowPrivateAddresses', 'captures.replay.allowPrivateAddresses')
}

function refused(message: string): RefusedTarget {
  return { kind: 'refused', message }
}
