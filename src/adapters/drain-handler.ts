import { createHash, timingSafeEqual } from 'node:crypto'
import { type ReportError, reporter } from '../delivery/admit.ts'
import type { HasDoor } from '../delivery/door.ts'
import { invalidOptions } from '../errors.ts'
import type { Inbox } from '../inbox.ts'
import type { FetchHandler } from './fetch.ts'

/** Who may call it, and how much it does at once. */
export type DrainHandlerOptions = {
  /** What has to come in `authorization: Bearer …`; several while one takes the place of another. At least 16 characters. */
  readonly secret: string | undefined | readonly (string | undefined)[]
  /** As in `inbox.drain`: how many events at most. Default 1000. */
  readonly limit?: number | undefined
  /** As in `inbox.drain`: when to begin nothing more. Less than the platform's limit, by the time that a handler may take. Default 50,000. */
  readonly untilMs?: number | undefined
  /** Told of failures that the caller only sees as a 500. Default: the inbox's log. */
  readonly onError?: ReportError | undefined
}

/** The part of an inbox that is needed here. */
export type HasDrain = HasDoor & Pick<Inbox<never>, 'drain'>

const shortestSecret = 16

/**
 * The route that a schedule calls: works off what is due, and answers with what became of it. It is open to nobody without the secret.
 *
 *     export const GET = drainHandler(inbox, { secret: process.env.CRON_SECRET })
 */
export function drainHandler(inbox: HasDrain, options: DrainHandlerOptions): FetchHandler {
  const secrets = checkSecrets(options.secret).map(digest)
  const report = reporter(options.onError ?? inbox.door.onError)
  const { limit, untilMs } = options
  return async ({ method, headers }) => {
    if (method !== 'GET' && method !== 'POST')
      return answer(405, { error: 'method_not_allowed' }, { allow: 'GET, POST' })
    if (!isKnown(headers.get('authorization'), secrets)) {
      return answer(401, { error: 'unauthorized' }, { 'www-authenticate': 'Bearer' })
    }
    try {
      return answer(
        200,
        await inbox.drain({ ...(limit !== undefined && { limit }), ...(untilMs !== undefined && { untilMs }) }),
      )
    } catch (error) {
      report(error)
      return answer(500, { error: 'error' })
    }
  }
}

/** A route without a secret would let anybody run the handlers, so a variable that is not set is a mistake and not an open door. */
function checkSecrets(given: DrainHandlerOptions['secret']): readonly string[] {
  const secrets = [given].flat()
  const isRight = (secret: unknown): secret is string => typeof secret === 'string' && secret.length >= shortestSecret
  if (secrets.length > 0 && secrets.every(isRight)) return secrets
  throw invalidOptions('drainHandler', [
    `secret has to be a text of at least ${shortestSecret} characters, or several. Is the environment variable set?`,
  ])
}

/** Compared as digests, and with all of them, so that the time it takes says nothing about any. */
function isKnown(authorization: string | null, secrets: readonly Buffer[]): boolean {
  const given = digest(/^bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? '')
  return secrets.filter((secret) => timingSafeEqual(secret, given)).length > 0
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

function answer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  const always = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return new Response(JSON.stringify(body), { status, headers: { ...always, ...headers } })
}
