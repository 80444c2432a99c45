/**
 * Parameters that every library sends alike: arrays as PostgreSQL's own text, because some send them as JSON or ask for their types first.
 * The SQL casts every parameter, so nothing is lost.
 */
export function plainValues(values: readonly unknown[]): unknown[] {
  return values.map((value) => (Array.isArray(value) ? arrayText(value) : value))
}

function arrayText(elements: readonly unknown[]): string {
  return `{${elements.map(elementText).join(',')}}`
}

/** Texts, numbers, booleans and nothing else are in the arrays that the store sends. */
function elementText(element: unknown): string {
  if (element === null || element === undefined) return 'NULL'
  const text = typeof element === 'string' ? element : JSON.stringify(element)
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
