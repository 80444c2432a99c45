import { sha256 } from './bytes.ts'
import type { Incoming } from './incoming.ts'
import { field, stableText } from './object.ts'

/** An id worked out from the content, for senders that have none. Chosen explicitly, and it says what it risks. */
export type DerivedId = {
  readonly kind: 'derived_id'
  /** Shown at start-up. */
  readonly risk: string
  readonly describe: string
  readonly read: (incoming: Incoming) => string | undefined
}

/** The last resort: two deliveries are one event if their bodies are equal byte for byte. */
export function bodyDigest(): DerivedId {
  return {
    kind: 'derived_id',
    risk:
      'Its events are told apart by a digest of the whole body: a redelivery that differs in one byte (a new timestamp, another order of fields) ' +
      'takes effect again, and two events with equal bodies take effect once. Use an id or fieldsDigest if there is any.',
    describe: 'digest of the body',
    read: (incoming) => `body-sha256:${incoming.bodySha256}`,
  }
}

/** Two deliveries are one event if these fields of the document are equal. A missing field is a refusal. */
export function fieldsDigest(paths: readonly string[]): DerivedId {
  return {
    kind: 'derived_id',
    risk:
      `Its events are told apart by ${paths.map((path) => `"${path}"`).join(' and ')}: ` +
      'two events that agree in all of these take effect once. Name fields that together never repeat.',
    describe: `digest of ${paths.join(', ')}`,
    read: ({ document }) => {
      const values = paths.map((path) => field(document, path))
      const isComplete = paths.length > 0 && values.every((value) => value !== undefined && value !== null)
      return isComplete ? `fields-sha256:${digestOf(paths.map((path, index) => [path, values[index]]))}` : undefined
    },
  }
}

/** A hex digest of a parsed value, equal for equal values. */
export function digestOf(value: unknown): string {
  return sha256(stableText(value)).toString('hex')
}
