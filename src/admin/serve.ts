import { isOncehookError, type OncehookErrorCode } from '../index.ts'
import { respond, respondJson, respondRefusal } from './answers.ts'
import { type Caller, refusalOfChange, refusalOfOrigin } from './auth/authenticate.ts'
import { mayAct } from './auth/identity.ts'
import { createFindRoute } from './find-route.ts'
import { readCall } from './read-call.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'
import type { AnyCall, Route } from './route.ts'
import type { Services } from './services.ts'
import type { Surroundings } from './surroundings.ts'
import { isWithHeaders, withoutHeaders } from './with-headers.ts'

/** `path` begins after `/api/v1`. Never rejects. */
export type ServeApi = (request: Request, path: string, surroundings: Surroundings) => Promise<Response>

export type ServeOptions = {
  readonly routes: readonly Route[]
  readonly services: Services
  /** Told of what the caller only sees as a 500. */
  readonly onError: (error: unknown) => void
}

const longestPath = 2000

/** Answers calls of the API: finds the route, lets in who may, reads what came, writes the audit log, and answers. */
export function createServeApi({ routes, services, onError }: ServeOptions): ServeApi {
  const find = createFindRoute(routes)
  const { authentication, inbox } = services

  return async (request, path, surroundings) => {
    try {
      const answer = await serve(request, path, surroundings)
      return isRefusal(answer) ? respondRefusal(answer) : answer
    } catch (error) {
      return respondRefusal(refusalOfError(error, onError))
    }
  }

  async function serve(request: Request, path: string, surroundings: Surroundings): Promise<Response | Refusal> {
    if (path.length > longestPath) return refuse('bad_request', 'The path is too long.')
    const elsewhere = refusalOfOrigin(request)
    if (elsewhere !== undefined) return elsewhere
    const found = find(request.method, path)
    if (found.kind === 'wrong_method') {
      const allow = found.allowed.join(', ')
      return refuse('method_not_allowed', `${request.method} is not possible here, but ${allow}.`, {
        headers: { allow },
      })
    }
    const caller = surroundings.caller ?? (await authentication.identify(request, surroundings))
    if (isRefusal(caller)) return caller
    // Whoever may not look is not told what there is.
    if (found.kind === 'unknown') {
      return caller === undefined
        ? unauthenticated(services)
        : refuse('not_found', `There is no ${path.slice(0, 200)} here.`)
    }
    const { route, parameters } = found
    const refusal = refusalOfCaller(route, caller) ?? refusalOfMeaning(route, request, caller)
    if (refusal !== undefined) return refusal

    const read = await readCall(route, request, parameters)
    if (isRefusal(read)) return read
    const identity = caller?.identity ?? { name: 'nobody', role: 'viewer' }
    const call: AnyCall = { ...read, identity, services, request, signal: request.signal, caller, surroundings }
    if (route.events !== undefined) return respondEvents(await route.events(call))
    return answered(route, await audited(route, call))
  }

  function refusalOfCaller(route: Route, caller: Caller | undefined): Refusal | undefined {
    if (route.role === 'anyone') return undefined
    if (caller === undefined) return unauthenticated(services)
    const { name, role } = caller.identity
    return mayAct(role, route.role)
      ? undefined
      : refuse('forbidden', `This needs the role ${route.role}, and ${name} has the role ${role}.`)
  }

  function refusalOfMeaning(route: Route, request: Request, caller: Caller | undefined): Refusal | undefined {
    if (route.method === 'GET') return undefined
    if (services.isReadOnly && route.changes !== 'nothing' && route.role !== 'anyone')
      return refuse('forbidden', 'The admin surface is read-only: nothing can be changed here.')
    return caller === undefined ? undefined : refusalOfChange(request, caller)
  }

  /** The line of the audit log is there before the change is, whatever becomes of this process. */
  async function audited(route: Route, call: AnyCall): Promise<unknown> {
    const { changes } = route
    if (changes === 'nothing') return route.run(call)
    const { name: by, role } = call.identity
    const id = await inbox.admin.log.begin({
      by,
      role,
      action: changes.action,
      target: changes.target(call),
      why: whyOf(call.body),
    })
    try {
      const answer = await route.run(call)
      const detail = isRefusal(answer) ? { refused: answer.message } : changes.detail?.(withoutHeaders(answer), call)
      const outcome = isRefusal(answer) ? 'refused' : 'done'
      await inbox.admin.log.end(id, { outcome, detail: detail === undefined ? undefined : JSON.stringify(detail) })
      return answer
    } catch (error) {
      // The first error is the one to tell; the line stays as begun if the store is away.
      await inbox.admin.log.end(id, { outcome: 'failed', detail: undefined }).catch(onError)
      throw error
    }
  }
}

function answered(route: Route, answer: unknown): Response | Refusal {
  if (isRefusal(answer)) return answer
  const headers = isWithHeaders(answer) ? answer.headers : {}
  const document = route.answer?.write(withoutHeaders(answer))
  return respondJson(document, { status: route.status ?? (route.answer === undefined ? 204 : 200), headers })
}

function respondEvents(stream: ReadableStream<Uint8Array> | Refusal): Response | Refusal {
  if (isRefusal(stream)) return stream
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Proxies that gather answers would hold events back.
    'x-accel-buffering': 'no',
  }
  return respond(stream, { status: 200, headers })
}

function unauthenticated({ authentication }: Services): Refusal {
  return authentication.isLoginRequired
    ? refuse('unauthenticated', 'Log in with POST /session, or send a token as Authorization: Bearer.', {
        headers: { 'www-authenticate': 'Bearer' },
      })
    : refuse(
        'forbidden',
        'Without a login only this machine may call, by the name localhost. Set admin.tokens to let others in.',
      )
}

/** What a store that is away or overrun throws: it may be well again in a moment. */
const passing: ReadonlySet<OncehookErrorCode> = new Set([
  'ONCEHOOK_STORE_UNAVAILABLE',
  'ONCEHOOK_CONNECTION_TIMEOUT',
  'ONCEHOOK_CONFLICT',
  'ONCEHOOK_COMMIT_UNKNOWN',
  'ONCEHOOK_NOT_MIGRATED',
])

/** Errors of ours that follow from what was asked are told; others could hold anything, and are told to the log alone. */
function refusalOfError(error: unknown, onError: (error: unknown) => void): Refusal {
  if (isOncehookError(error, 'ONCEHOOK_INVALID_OPTIONS')) return refuse('bad_request', error.message)
  onError(error)
  return isOncehookError(error) && passing.has(error.code)
    ? refuse('unavailable', 'The database cannot be reached at this moment.', { headers: { 'retry-after': '5' } })
    : refuse('failed', 'Something went wrong here; the log of the server says what.')
}

function whyOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('why' in body)) return undefined
  return typeof body.why === 'string' ? body.why : undefined
}
