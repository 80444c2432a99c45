import { cannotDecrypt } from './encryption-errors.ts'
import type { NamedKey } from './key-ring.ts'
import { open, seal } from './seal.ts'

/**
 * JSON that stands where other JSON stood. It begins with a space, which no JSON that is written here does: so nobody can make a text of
 * his own look like a sealed one.
 */
const mark = ' {"keyId":'

/** Seals JSON text. */
export function sealText({ id, key }: NamedKey, json: string, context: readonly string[]): string {
  const sealed = seal(key, Buffer.from(json), [...context, id]).toString('base64')
  return ` ${JSON.stringify({ keyId: id, sealed })}`
}

/** The id of the key that a text is sealed with; undefined if it is not sealed. */
export function keyIdOfText(text: string): string | undefined {
  return text.startsWith(mark) ? (JSON.parse(text) as { readonly keyId: string }).keyId : undefined
}

/** The JSON of a sealed text. Throws `ONCEHOOK_CANNOT_DECRYPT`. */
export function openText(
  { id, key }: NamedKey,
  text: string,
  what: { readonly name: string; readonly context: readonly string[] },
): string {
  const { sealed } = JSON.parse(text) as { readonly sealed?: unknown }
  const bytes = Buffer.from(typeof sealed === 'string' ? sealed : '', 'base64')
  const plain = open(key, bytes, [...what.context, id])
  if (plain === undefined) throw cannotDecrypt(what.name, id)
  return plain.toString('utf8')
}

/** Where a message or a result is, so that it cannot be moved. */
export function messageContext(message: {
  readonly environment: string
  readonly target: string
  readonly key: string
}): readonly string[] {
  return ['message', message.environment, message.target, message.key]
}

export function resultContext(effect: { readonly environment: string; readonly key: string }): readonly string[] {
  return ['result', effect.environment, effect.key]
}

export function valueContext(place: {
  readonly environment: string
  readonly namespace: string
  readonly key: string
}): readonly string[] {
  return ['value', place.environment, place.namespace, place.key]
}

export function nameOfValue(namespace: string, key: string): string {
  return `The value "${key}" of namespace "${namespace}"`
}

export function traceContext(run: {
  readonly environment: string
  readonly automation: string
  readonly receiptId: string
  readonly attempt: number | string
}): readonly string[] {
  return ['automation run', run.environment, run.automation, run.receiptId, String(run.attempt)]
}

export function nameOfTrace({ id, automation }: { readonly id: string; readonly automation: string }): string {
  return `The trace of run ${id} of automation "${automation}"`
}
