import type { Mistake } from './schema.ts'

/** Why a call was not answered, and the status that says so. */
const statuses = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  failed: 500,
  unavailable: 503,
} as const

export type RefusalCode = keyof typeof statuses

export const refusalCodes: readonly RefusalCode[] = Object.keys(statuses) as readonly RefusalCode[]

const mark: unique symbol = Symbol('refusal')

/** What a route answers with where it has no answer. The message is for people, and never holds a secret. */
export type Refusal = {
  readonly [mark]: true
  readonly code: RefusalCode
  readonly message: string
  readonly details: readonly Mistake[]
  readonly headers: Readonly<Record<string, string>>
}

/** Refuses a call: `return refuse('not_found', 'There is no receipt 7.')`. */
export function refuse(
  code: RefusalCode,
  message: string,
  more: { readonly details?: readonly Mistake[]; readonly headers?: Readonly<Record<string, string>> } = {},
): Refusal {
  return { [mark]: true, code, message, details: more.details ?? [], headers: more.headers ?? {} }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && mark in value
}

export function statusOfRefusal(code: RefusalCode): number {
  return statuses[code]
}
