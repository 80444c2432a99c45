export type Literal = string | number | boolean | null | readonly (string | number | null)[]

/**
 * A value as it stands in a statement that is sent together with others, where there are no parameters. Escapes are spelled out, so that the
 * setting `standard_conforming_strings` makes no difference.
 */
export function literal(value: Literal): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : "'NaN'"
  if (typeof value !== 'string') return `array[${value.map(literal).join(',')}]`
  return `E'${value.replaceAll('\u0000', '').replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
