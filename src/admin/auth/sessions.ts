import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AdminView } from '../../index.ts'
import { digestOf, type KnownToken } from './tokens.ts'

const cookieName = 'oncehook_session'

/** The session of a request that has one. */
export type OpenSession = {
  readonly token: KnownToken
  /** What a page of ours sends with everything that changes something, and no other page can know. */
  readonly csrf: string
  /** Finds it in the store. */
  readonly digest: Buffer
}

export type Sessions = {
  readonly find: (request: Request) => Promise<OpenSession | undefined>
  /** Answers with the cookie, and with what pages have to send with changes. */
  readonly open: (token: KnownToken, place: CookiePlace) => Promise<{ readonly cookie: string; readonly csrf: string }>
  readonly close: (session: OpenSession) => Promise<void>
}

/** Where a cookie is for. */
export type CookiePlace = { readonly isSecure: boolean; readonly path: string }

export type SessionOptions = {
  readonly store: AdminView['sessions']
  readonly tokens: readonly KnownToken[]
  readonly hours: number
}

/**
 * Sessions are in the database, so that every process knows them and a logout counts at once; what is there finds a session and cannot be
 * used as one. A session lives as long as the token it was opened with is in the configuration, with the role that the token has now.
 */
export function createSessions({ store, tokens, hours }: SessionOptions): Sessions {
  return {
    async find(request) {
      const secret = secretIn(request.headers.get('cookie') ?? '')
      if (secret === undefined) return undefined
      const digest = digestOf(secret)
      const stored = await store.find(digest)
      const token = tokens.find(({ mark }) => mark === stored?.tokenMark)
      return token && { token, csrf: csrfOf(secret), digest }
    },
    async open(token, place) {
      const secret = randomBytes(32).toString('base64url')
      const seconds = hours * 3600
      await store.open({ digest: digestOf(secret), name: token.name, tokenMark: token.mark, seconds })
      return { cookie: cookieOf(secret, seconds, place), csrf: csrfOf(secret) }
    },
    async close({ digest }) {
      await store.close(digest)
    },
  }
}

/** The cookie that takes a session's cookie away. */
export function expiredCookie(place: CookiePlace): string {
  return cookieOf('', 0, place)
}

export function isCsrfToken(given: string | null, expected: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function cookieOf(value: string, seconds: number, { isSecure, path }: CookiePlace): string {
  const secure = isSecure ? '; Secure' : ''
  return `${cookieName}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

function secretIn(cookies: string): string | undefined {
  for (const cookie of cookies.split(';')) {
    const [name, value] = cookie.trim().split('=', 2)
    if (name === cookieName && value !== undefined && /^[\w-]{43}$/.test(value)) return value
  }
  return undefined
}

/** Follows from the session's secret, which pages cannot read. */
function csrfOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url')
}
