import { createHash, timingSafeEqual } from 'node:crypto'
import { isRole, type Role, roles } from './identity.ts'

/** Somebody who may log in or call with a token. */
export type AdminToken = {
  /** As the audit log shows it. */
  readonly name: string
  readonly role: Role
  /** The token itself, at least 24 characters, or `sha256:` and the 64 hexadecimal digits of its digest. */
  readonly token: string
}

/** A token as it is kept: nobody can read it back from here. */
export type KnownToken = {
  readonly name: string
  readonly role: Role
  readonly digest: Buffer
  /** Tells tokens apart without being one. */
  readonly mark: string
}

const shortestToken = 24
const digestPattern = /^sha256:([0-9a-f]{64})$/i

/** Every mistake, each by the path of the setting. Never shows a token. */
export function mistakesInTokens(given: unknown, path: string): readonly string[] {
  if (!Array.isArray(given)) return [`${path} is not a list: give [{ name, role, token }].`]
  const seen = new Set<string>()
  return given.flatMap((token: unknown, index) => {
    const at = `${path}[${index}]`
    if (typeof token !== 'object' || token === null) return [`${at} is not an object: give { name, role, token }.`]
    const { name, role, token: value } = token as Readonly<Record<string, unknown>>
    const mistakes: string[] = []
    if (typeof name !== 'string' || name.trim() === '' || name.length > 100)
      mistakes.push(`${at}.name is missing: say whose it is, in at most 100 characters.`)
    if (!isRole(role)) mistakes.push(`${at}.role is not one of ${roles.join(', ')}.`)
    if (typeof value !== 'string' || value === '')
      mistakes.push(`${at}.token is empty: make one with "openssl rand -hex 24".`)
    else if (value.startsWith('sha256:') && !digestPattern.test(value))
      mistakes.push(`${at}.token begins with sha256: and has no 64 hexadecimal digits after it.`)
    else if (value.length < shortestToken)
      mistakes.push(`${at}.token has fewer than ${shortestToken} characters: make one with "openssl rand -hex 24".`)
    else if (seen.has(value)) mistakes.push(`${at}.token is that of another one.`)
    else seen.add(value)
    return mistakes
  })
}

/** Tokens that were checked, ready to be compared with. */
export function knownTokens(tokens: readonly AdminToken[]): readonly KnownToken[] {
  return tokens.map(({ name, role, token }) => {
    const digest = Buffer.from(digestPattern.exec(token)?.[1] ?? digestOf(token).toString('hex'), 'hex')
    return {
      name,
      role,
      digest,
      mark: digestOf(`mark ${digest.toString('hex')}`)
        .toString('hex')
        .slice(0, 32),
    }
  })
}

/** Digests are compared, all of them and in constant time: how long it takes tells nothing of how near a guess was. */
export function findToken(known: readonly KnownToken[], given: string): KnownToken | undefined {
  const digest = digestOf(given)
  let found: KnownToken | undefined
  for (const token of known) if (timingSafeEqual(token.digest, digest)) found = token
  return found
}

export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
