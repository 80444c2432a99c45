import { readWebBody } from '../delivery/read-body.ts'
import { parseJson } from '../verify/json.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { Route } from './route.ts'
import type { Members, Mistake, ObjectSchema } from './schema.ts'

/** The parts of a call, read by the schemas of its route. */
export type ReadCall = {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

const defaultMostBodyBytes = 1024 * 1024
const readSeconds = 10
/** Whoever sends thousands of mistakes need not see them all. */
const mostMistakes = 50

/** Reads everything a call carries, or says of each part that does not fit where it is and what is wrong with it. */
export async function readCall(
  route: Route,
  request: Request,
  parameters: Readonly<Record<string, string>>,
): Promise<ReadCall | Refusal> {
  const mistakes: Mistake[] = []
  const query = readQuery(route.query, new URL(request.url).searchParams, mistakes)
  const ofPath = route.parameters?.read(parameters, { path: '', mistakes }) ?? {}
  const body = route.body === undefined ? undefined : await readBody(route, request, mistakes)
  if (typeof body === 'object' && body !== null && 'refusal' in body) return body.refusal
  if (mistakes.length > 0) return badRequest(mistakes)
  return { parameters: ofPath, query, body: body?.value }
}

export function badRequest(mistakes: readonly Mistake[]): Refusal {
  const [first] = mistakes
  const rest = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : ''
  const message = `${first?.path === '' ? 'The body' : first?.path} ${first?.message}${rest}.`
  return refuse('bad_request', message, { details: mistakes.slice(0, mostMistakes) })
}

function readQuery(
  schema: ObjectSchema<Members> | undefined,
  given: URLSearchParams,
  mistakes: Mistake[],
): Readonly<Record<string, unknown>> {
  const members: Members = schema?.members ?? {}
  const values: Record<string, unknown> = {}
  for (const [name, value] of given) {
    if (Object.hasOwn(values, name)) mistakes.push({ path: `?${name.slice(0, 100)}`, message: 'is given twice' })
    // An empty field of a form is none.
    const member = Object.hasOwn(members, name) ? members[name] : undefined
    if (member !== undefined && value !== '') values[name] = member.fromText(value)
    if (member === undefined) {
      const known = Object.keys(members).join(', ')
      const advice = known === '' ? 'there are no parameters here' : `there are: ${known}`
      mistakes.push({ path: `?${name.slice(0, 100)}`, message: `is unknown; ${advice}` })
    }
  }
  const found: Mistake[] = []
  const read = schema?.read(values, { path: '', mistakes: found })
  mistakes.push(...found.map(({ path, message }) => ({ path: `?${path}`, message })))
  return read ?? {}
}

type BodyRead = { readonly value: unknown } | { readonly refusal: Refusal }

async function readBody(route: Route, request: Request, mistakes: Mistake[]): Promise<BodyRead> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    // A form or a text could be sent by a page of any other site, without being asked whether it may.
    return {
      refusal: refuse('unsupported_media_type', 'The body has to be JSON: send content-type: application/json.'),
    }
  }
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity')
    return { refusal: refuse('unsupported_media_type', 'The body must not be compressed.') }
  const read = await readWebBody(request.body, {
    limitBytes: route.mostBodyBytes ?? defaultMostBodyBytes,
    readSeconds,
    announcedLength: request.headers.get('content-length') ?? undefined,
  })
  switch (read.kind) {
    case 'too_large':
      return { refusal: refuse('too_large', `The body is larger than ${read.limitBytes} bytes.`) }
    case 'too_slow':
      return { refusal: refuse('bad_request', `The body did not come within ${readSeconds} s.`) }
    case 'malformed':
      return { refusal: refuse('bad_request', read.detail) }
    case 'complete': {
      const parsed = parseJson(read.body, 'plain')
      if (parsed.kind === 'malformed') return { refusal: refuse('bad_request', parsed.detail) }
      return { value: route.body?.read(parsed.document, { path: '', mistakes }) }
    }
  }
}
