const mostBytes = 2000

/** A value as a trace keeps it: as it is, or if that is long, the beginning of its JSON. */
export function brief(value: unknown): unknown {
  if (value === undefined) return null
  const json = JSON.stringify(value) ?? 'null'
  if (Buffer.byteLength(json) <= mostBytes) return JSON.parse(json) as unknown
  return { $cut: json.slice(0, mostBytes).toWellFormed(), bytes: Buffer.byteLength(json) }
}
