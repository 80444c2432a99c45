import type { Clock } from '../../clock.ts'
import { invalidOptions } from '../../errors.ts'
import type { AdminView } from '../../index.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { type Identity, isRole, roles } from './identity.ts'
import { isFromElsewhere, isLocal, type Peer } from './origins.ts'
import { type CookiePlace, createSessions, expiredCookie, isCsrfToken, type OpenSession } from './sessions.ts'
import { createThrottle } from './throttle.ts'
import { type AdminToken, findToken, knownTokens, mistakesInTokens } from './tokens.ts'

/** Your own way to tell who calls. Undefined for nobody. */
export type Authorize = (request: Request) => Identity | undefined | Promise<Identity | undefined>

/** Who may use the admin surface. One of the three has to be given. */
export type AuthenticationOptions = {
  readonly tokens?: readonly AdminToken[] | undefined
  /** Asked for requests that carry no token and no session of ours. */
  readonly authorize?: Authorize | undefined
  /** Without tokens and `authorize`: whoever is on this machine may do everything, without a login. */
  readonly isOpenOnLoopback?: boolean | undefined
  /** After so many hours one has to log in again. Default 12. */
  readonly sessionHours?: number | undefined
}

/** Somebody, and how they showed who they are. */
export type Caller = {
  readonly identity: Identity
  readonly by: 'token' | 'session' | 'hook' | 'local' | 'program'
  /** What a page has to send with changes. */
  readonly csrf: string | undefined
  readonly session?: OpenSession
}

export type Login = { readonly identity: Identity; readonly csrf: string; readonly cookie: string }

export type Authentication = {
  /** Whether nobody may do anything without showing who they are. */
  readonly isLoginRequired: boolean
  /** Whether there is a token to log in with. */
  readonly hasTokens: boolean
  readonly identify: (request: Request, peer: Peer) => Promise<Caller | Refusal | undefined>
  readonly login: (token: string, place: CookiePlace & Peer) => Promise<Login | Refusal>
  /** Ends the session, if the caller has one. Answers with the cookie that takes theirs away. */
  readonly logout: (caller: Caller | undefined, place: CookiePlace) => Promise<string>
}

/** Every mistake in the options, each by the path of the setting. */
export function mistakesInAuthentication(given: AuthenticationOptions, path: string): readonly string[] {
  const { tokens, authorize, isOpenOnLoopback, sessionHours } = given
  const isNobodyNamed = (tokens === undefined || tokens.length === 0) && authorize === undefined
  return [
    ...(tokens === undefined ? [] : mistakesInTokens(tokens, `${path}tokens`)),
    ...(authorize === undefined || typeof authorize === 'function' ? [] : [`${path}authorize is not a function.`]),
    ...(sessionHours === undefined || (sessionHours > 0 && sessionHours <= 720)
      ? []
      : [`${path}sessionHours is ${String(sessionHours)}: give more than 0 and at most 720.`]),
    ...(isNobodyNamed && isOpenOnLoopback !== true
      ? [
          `${path}tokens and ${path}authorize are both missing, so nobody could log in: ` +
            'give tokens: [{ name, role, token }] or authorize.',
        ]
      : []),
  ]
}

export function createAuthentication(
  options: AuthenticationOptions & { readonly sessions: AdminView['sessions']; readonly clock: Clock },
): Authentication {
  const { authorize, isOpenOnLoopback = false, sessionHours = 12 } = options
  const mistakes = mistakesInAuthentication(options, '')
  if (mistakes.length > 0) throw invalidOptions('The admin surface', mistakes)
  const tokens = knownTokens(options.tokens ?? [])
  const sessions = createSessions({ store: options.sessions, tokens, hours: sessionHours })
  const throttle = createThrottle(options.clock)
  const isLoginRequired = tokens.length > 0 || authorize !== undefined || !isOpenOnLoopback

  return {
    isLoginRequired,
    hasTokens: tokens.length > 0,
    async identify(request, peer) {
      const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      if (bearer !== undefined && tokens.length > 0) {
        if (!throttle.isOpenFor(addressOf(peer))) return tooManyFailures
        const token = findToken(tokens, bearer)
        if (token !== undefined) return { identity: identityOf(token), by: 'token', csrf: undefined }
      }
      const session = tokens.length === 0 ? undefined : await sessions.find(request)
      if (session !== undefined) {
        return { identity: identityOf(session.token), by: 'session', csrf: session.csrf, session }
      }
      const named = await authorize?.(request)
      if (named !== undefined) return { identity: checkedIdentity(named), by: 'hook', csrf: pageMark }
      if (bearer !== undefined) {
        throttle.noteFailure(addressOf(peer))
        return refuse('unauthenticated', 'This token is not known.', { headers: { 'www-authenticate': 'Bearer' } })
      }
      if (isLoginRequired || !isLocal(request, peer)) return undefined
      return { identity: { name: 'local', role: 'admin' }, by: 'local', csrf: pageMark }
    },
    async login(given, place) {
      if (!throttle.isOpenFor(addressOf(place))) return tooManyFailures
      const token = findToken(tokens, given)
      if (token === undefined) {
        throttle.noteFailure(addressOf(place))
        return refuse('unauthenticated', 'This token is not known.')
      }
      return { identity: identityOf(token), ...(await sessions.open(token, place)) }
    },
    async logout(caller, place) {
      if (caller?.session !== undefined) await sessions.close(caller.session)
      return expiredCookie(place)
    },
  }
}

/** Where the caller is known by something that pages cannot make up, it is enough that a page of ours says it is one. */
const pageMark = 'page'

/**
 * Whether a request that changes something was meant by whoever is logged in: other sites' pages can make a browser send cookies, but not
 * a header of ours. Programs with a token send no cookie that anybody could misuse.
 */
export function refusalOfChange(request: Request, { by, csrf }: Caller): Refusal | undefined {
  const given = request.headers.get('x-oncehook-csrf')
  const isMeant =
    by === 'token' || by === 'program' || by === 'local'
      ? true
      : by === 'session'
        ? isCsrfToken(given, csrf ?? '')
        : given !== null || !request.headers.has('cookie')
  return isMeant
    ? undefined
    : refuse('forbidden', 'The header x-oncehook-csrf is missing or wrong: take it from GET /session.')
}

/** Other sites' pages get nothing, not even to look at. */
export function refusalOfOrigin(request: Request): Refusal | undefined {
  return isFromElsewhere(request)
    ? refuse('forbidden', 'This request was made by a page of another site, which may not use the admin surface.')
    : undefined
}

const tooManyFailures = refuse('too_many_requests', 'Too many wrong tokens came from this address: wait a minute.', {
  headers: { 'retry-after': '60' },
})

function identityOf({ name, role }: Identity): Identity {
  return { name, role }
}

function checkedIdentity({ name, role }: Identity): Identity {
  const isName = typeof name === 'string' && name.trim() !== '' && name.length <= 100
  if (isName && isRole(role)) return { name, role }
  // Not one of our codes: those that tell of wrong options are answered to whoever calls, who can do nothing about this.
  throw new TypeError(
    `The answer of authorize has to be { name, role } with a name of 1 to 100 characters and one of the roles ${roles.join(', ')}, or undefined.`,
  )
}

function addressOf({ remoteAddress }: Peer): string {
  return remoteAddress ?? 'unknown'
}
