import { randomBytes, randomUUID } from 'node:crypto'
import { isObject } from './object.ts'
import type { EventToSign } from './provider.ts'

/** What a declaration is given to make an event of. */
export type EventToCompose = {
  readonly id?: string
  readonly type?: string
  /** The user's own payload, where it is an object. */
  readonly payload?: Readonly<Record<string, unknown>>
}

/** An event as its provider would send it, not yet signed. */
export type ComposedEvent = {
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  readonly url?: string
}

/** A JSON body with its content type. */
export function jsonEvent(document: unknown, headers: Readonly<Record<string, string>> = {}): ComposedEvent {
  return { body: JSON.stringify(document), headers: { 'content-type': 'application/json', ...headers } }
}

/** A form body with its content type. */
export function formEvent(
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): ComposedEvent {
  const pairs = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return {
    body: new URLSearchParams(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined)).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  }
}

/** The part of an event that a declaration composes; a payload that is no object is the body itself. */
export function toCompose({ id, type, payload }: EventToSign): EventToCompose {
  return {
    ...(id === undefined ? {} : { id }),
    ...(type === undefined ? {} : { type }),
    ...(isObject(payload) ? { payload } : {}),
  }
}

/** The exact bytes to send. */
export function bodyOf({ body, payload }: EventToSign, composed: ComposedEvent): Uint8Array {
  if (body !== undefined) return typeof body === 'string' ? Buffer.from(body, 'utf8') : body
  const isOwnBody = payload !== undefined && !isObject(payload)
  return Buffer.from(isOwnBody ? JSON.stringify(payload) : composed.body, 'utf8')
}

/** A new id, such as `evt_5f2c…`. */
export function freshId(prefix = ''): string {
  return prefix + randomBytes(12).toString('hex')
}

/** A new id of digits only, that fits a number and is wide enough not to repeat by chance. */
export function freshNumber(): number {
  return randomBytes(6).readUIntBE(0, 6)
}

/** A new id of the common form 8-4-4-4-12. */
export function freshUuid(): string {
  return randomUUID()
}

/** Seconds since 1970. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
