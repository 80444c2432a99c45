import type { StoredForm } from '../receipt/receipt.ts'
import { redactedValue } from './redaction.ts'

/** Shorter ones stand in any text by chance. */
const shortest = 4

/**
 * A text about a delivery, as it may be stored: without values that are in the original but not in what is stored of it. Whoever saw the
 * original, an inline handler or the database, may have put them into an error. Of a body that nobody can read nothing is known, so of the
 * text only the name of the error is left.
 */
export function conceal(text: string, original: Uint8Array, stored: StoredForm): string {
  const whole = Buffer.from(original).toString('utf8')
  const values = valuesOf(whole)
  if (values === undefined) return `${text.split(':', 1)[0] ?? ''}: ${redactedValue}`
  const kept = Buffer.from(stored.content).toString('utf8')
  const missing = values.filter((value) => value.length >= shortest && text.includes(value) && !kept.includes(value))
  // The longest first: a shorter one may be a part of it.
  return missing
    .toSorted((one, other) => other.length - one.length)
    .reduce((concealed, value) => concealed.replaceAll(value, redactedValue), text)
}

/** Texts and numbers of a document or a form; undefined if it is neither. */
function valuesOf(text: string): readonly string[] | undefined {
  const values: string[] = Array.from(text.matchAll(/-?\d[\d.eE+-]*/g), ([number]) => number)
  if (collect(text, values)) return values
  if (!text.includes('=')) return undefined
  for (const value of new URLSearchParams(text).values()) {
    values.push(value)
    collect(value, values)
  }
  return values
}

function collect(json: string, values: string[]): boolean {
  try {
    JSON.parse(json, (_, value: unknown) => {
      if (typeof value === 'string') values.push(value)
      return value
    })
    return true
  } catch {
    return false
  }
}
