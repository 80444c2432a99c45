import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { permanent } from '../errors.ts'

/** One address of a host. */
export type HostAddress = { readonly address: string; readonly family: number }

/** Finds all addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>

/** Addresses that may be reached although they are private: all of them, or these addresses and subnets (`10.1.0.0/16`). */
export type AllowedPrivate = boolean | readonly string[]

/** Answers whether an address may be reached. */
export type AddressRule = (address: string) => boolean

/** What IPv4 routes nowhere, or only inside: https://www.iana.org/assignments/iana-ipv4-special-registry */
const insideIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** The one part of IPv6 that is routed. Loopback, ULA, link-local, multicast, IPv4-mapped and NAT64 all lie outside of it. */
const routedIpv6 = ['2000::', 3] as const

/** Parts of it that are not hosts, or that carry an IPv4 address inside: Teredo and its neighbours, documentation, 6to4. */
const insideIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

/** Only public addresses, and what is allowed besides. */
export function addressRule(allowed: AllowedPrivate): AddressRule {
  if (allowed === true) return (address) => isIP(address) !== 0
  const inside = new BlockList()
  for (const [network, prefix] of insideIpv4) inside.addSubnet(network, prefix, 'ipv4')
  for (const [network, prefix] of insideIpv6) inside.addSubnet(network, prefix, 'ipv6')
  const routed = new BlockList()
  routed.addSubnet(...routedIpv6, 'ipv6')
  const exceptions = new BlockList()
  for (const text of allowed === false ? [] : allowed) addException(exceptions, text)

  return (address) => {
    switch (isIP(address)) {
      case 4:
        return !inside.check(address, 'ipv4') || exceptions.check(address, 'ipv4')
      case 6:
        return (routed.check(address, 'ipv6') && !inside.check(address, 'ipv6')) || exceptions.check(address, 'ipv6')
      default:
        return false
    }
  }
}

/** False for what `addressRule` could not take as an exception. */
export function isSubnet(text: unknown): boolean {
  if (typeof text !== 'string') return false
  const [address = '', prefix, ...rest] = text.split('/')
  const longest = { 4: 32, 6: 128 }[isIP(address)]
  if (longest === undefined || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest)
}

function addException(exceptions: BlockList, text: string): void {
  const [address = '', prefix] = text.split('/')
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  exceptions.addSubnet(address, prefix === undefined ? { ipv4: 32, ipv6: 128 }[family] : Number(prefix), family)
}

/** All addresses, by the system's own rules (`/etc/hosts` and all). */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * The addresses of a host, all of them allowed: one that is not condemns the host, or a name with a public and a private address
 * would come through at every second attempt. A number is permanent; what a name stands for can be mended.
 */
export async function allowedAddresses(
  url: URL,
  { resolve, isAllowed }: { readonly resolve: Resolve; readonly isAllowed: AddressRule },
): Promise<readonly HostAddress[]> {
  const literal = literalAddress(url)
  if (literal !== undefined) {
    if (!isAllowed(literal)) throw permanent(new Error(refusal(url.hostname)))
    return [{ address: literal, family: isIP(literal) }]
  }
  const found = await resolve(url.hostname)
  if (found.length === 0) throw new Error(`${url.hostname} has no address.`)
  if (!found.every(({ address }) => isAllowed(address))) throw new Error(refusal(url.hostname))
  return found.map(({ address }) => ({ address, family: isIP(address) }))
}

/** The address if the host is one. `URL` has already brought the octal, hexadecimal and other spellings into one form. */
export function literalAddress({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) === 0 ? undefined : address
}

/** Answers with the addresses that were checked, so that a second look-up cannot give others. */
export function pinned(addresses: readonly HostAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}

function refusal(host: string): string {
  return `${host} is a private or reserved address, so nothing was sent. If it is meant, say so in allowPrivateAddresses.`
}
