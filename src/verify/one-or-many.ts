import type { ClaimedEvent } from './identity.ts'

/** One event, or each event of a list with its place in it. */
export function oneOrMany(
  document: unknown,
  claim: (event: unknown) => ClaimedEvent,
): ClaimedEvent | readonly ClaimedEvent[] {
  if (!Array.isArray(document)) return claim(document)
  return document.map((event: unknown, index) => ({ ...claim(event), part: `/${index}` }))
}
