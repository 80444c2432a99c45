/** So many bytes, for people. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** step
  return `${amount < 10 && step > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[step]}`
}

/** A number as people write it. */
export function describeCount(count: number): string {
  return Math.round(count).toLocaleString('en')
}

/** A text as a value in SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
