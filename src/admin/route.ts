import type { Caller } from './auth/authenticate.ts'
import type { Identity, Role } from './auth/identity.ts'
import type { Refusal } from './refusal.ts'
import type { Members, ObjectOf, ObjectSchema, Schema, ValueOf } from './schema.ts'
import type { Services } from './services.ts'
import type { Surroundings } from './surroundings.ts'
import type { WithHeaders } from './with-headers.ts'

/** A call whose every part was read and whose caller may make it. */
export type RouteCall<Parameters, Query, Body> = {
  /** Of the path: `/receipts/{id}` has `id`. */
  readonly parameters: Parameters
  readonly query: Query
  readonly body: Body
  readonly identity: Identity
  /** The same with how they showed who they are; undefined for nobody, where anyone may call. */
  readonly caller: Caller | undefined
  readonly services: Services
  /** The request as it came, for those that look at its headers. Its body was read. */
  readonly request: Request
  readonly surroundings: Surroundings
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

type Shape<Parameters, Query, Body, Answer> = {
  /** Of the call, in camel case; unique. Clients that are made from the OpenAPI document name their functions by it. */
  readonly name: string
  /** Under `/api/v1`. */
  readonly path: string
  /** The least role that may call it. `anyone` needs no login. */
  readonly role: Role | 'anyone'
  /** One sentence. */
  readonly summary: string
  readonly parameters?: Parameters
  readonly query?: Query
  readonly body?: Body
  /** Without it the answer is 204, or a stream of events if `events` is given. */
  readonly answer?: Schema<Answer>
  /** Default 200, or 204 without an answer. */
  readonly status?: 200 | 201 | 202
  /** Default 1 MiB. */
  readonly mostBodyBytes?: number
}

type CallOf<Parameters extends Members, Query extends Members, Body> = RouteCall<
  ObjectOf<Parameters>,
  ObjectOf<Query>,
  ValueOf<Body>
>

/**
 * What is written to the audit log of a call that changes something: before it is made, so that there is no change without a line, and
 * again when it has ended, with its outcome. `why` of the body is written too, if there is one.
 */
export type Audited<Call, Answer> = {
  /** The resource and what is done with it: `receipts.replay`. */
  readonly action: string
  /** On what, as far as that is known before: an id, a name, a filter. */
  readonly target: (call: Call) => string
  /** What became of it, as JSON. No payloads and no secrets. */
  readonly detail?: (answer: Answer, call: Call) => unknown
}

type Definition<Parameters extends Members, Query extends Members, Body, Answer> = Shape<
  ObjectSchema<Parameters>,
  ObjectSchema<Query>,
  Body,
  Answer
> & {
  readonly run: (call: CallOf<Parameters, Query, Body>) => Promise<Answer | WithHeaders<Answer> | Refusal>
} & (
    | { readonly method: 'GET' }
    | {
        readonly method: 'POST' | 'PUT' | 'DELETE'
        /** `nothing`: it looks, although it is no GET. */
        readonly changes: Audited<CallOf<Parameters, Query, Body>, Answer> | 'nothing'
      }
  )

/** A route as the server knows it. */
export type Route = Shape<ObjectSchema<Members>, ObjectSchema<Members>, Schema<unknown>, unknown> & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly changes: Audited<AnyCall, unknown> | 'nothing'
  readonly run: (call: AnyCall) => Promise<unknown>
  /** The answer is a stream of server-sent events, made by this in place of `run`. */
  readonly events?: (call: AnyCall) => Promise<ReadableStream<Uint8Array> | Refusal>
}

export type AnyCall = RouteCall<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>, unknown>

/** Describes one call of the API, with types that follow from its schemas. */
export function defineRoute<
  const Answer,
  const Parameters extends Members = Members,
  const Query extends Members = Members,
  Body extends Schema<unknown> = Schema<undefined>,
>(definition: Definition<Parameters, Query, Body, Answer>): Route {
  const changes = definition.method === 'GET' ? 'nothing' : definition.changes
  // From here on only the server calls it, with what it has read by these very schemas.
  return { ...definition, changes } as unknown as Route
}

/** Describes a call that is answered with a stream of events. */
export function defineEventStream<const Query extends Members>(
  definition: Omit<Shape<never, ObjectSchema<Query>, never, never>, 'parameters' | 'body' | 'answer' | 'status'> & {
    readonly events: (
      call: RouteCall<Readonly<Record<string, unknown>>, ObjectOf<Query>, undefined>,
    ) => Promise<ReadableStream<Uint8Array> | Refusal>
  },
): Route {
  return { ...definition, method: 'GET', changes: 'nothing', run: noAnswer } as unknown as Route
}

async function noAnswer(): Promise<never> {
  throw new TypeError('A stream of events has no other answer.')
}
