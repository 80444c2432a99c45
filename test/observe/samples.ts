/** The samples of an exposition, by name and labels as they are written: `name{label="value"}`. */
export function samplesOf(text: string): Readonly<Record<string, number>> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

/** How much each sample has risen; what has not changed is left out. */
export function risen(before: string, after: string): Readonly<Record<string, number>> {
  const earlier = samplesOf(before)
  const changes = Object.entries(samplesOf(after)).map(([name, value]) => [name, value - (earlier[name] ?? 0)] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0))
}

/** Without what depends on how long things took, and what the database says by itself. */
export function counted(samples: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(samples).filter(([name]) => !/_bucket|_sum|_oldest_due|_ledger_|store_up/.test(name)),
  )
}
