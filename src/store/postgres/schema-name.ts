import { hash } from 'node:crypto'
import { invalidOptions } from '../../errors.ts'

/** The schema's name, ready to be put into SQL: the only thing that ever is. */
export function quotedSchema(schema: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,47}$/.test(schema)) {
    throw invalidOptions('The store', [
      `schema is ${JSON.stringify(schema)}; use up to 48 letters, digits and underscores, not starting with a digit.`,
    ])
  }
  return `"${schema}"`
}

/** A text of SQL that is made once for each schema: what is sent again and again is found again by the very same text. */
export function madeOnce(make: (schema: string) => string): (schema: string) => string {
  const made = new Map<string, string>()
  return (schema) => {
    const known = made.get(schema)
    if (known !== undefined) return known
    const text = make(schema)
    made.set(schema, text)
    return text
  }
}

/** The channel on which processes wake each other. */
export function wakeChannel(schema: string): string {
  return `oncehook_${schema}`
}

/** A number for `pg_advisory_xact_lock`, the same in every process for the same parts. */
export function lockNumber(parts: readonly string[]): string {
  return Buffer.from(hash('sha256', JSON.stringify(parts), 'binary'), 'binary')
    .readBigInt64BE(0)
    .toString()
}
