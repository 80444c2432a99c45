import { setTimeout as pause } from 'node:timers/promises'

/** Asks until the answer fits: waiting on a condition, never on a length of time. */
export async function until<Value>(
  ask: () => Promise<Value> | Value,
  fits: (value: Value) => boolean,
  patienceSeconds = 30,
): Promise<Value> {
  const endsAt = performance.now() + patienceSeconds * 1000
  for (;;) {
    const value = await ask()
    if (fits(value)) return value
    if (performance.now() > endsAt) throw new Error(`Still not so after ${patienceSeconds} s: ${JSON.stringify(value)}`)
    await pause(10)
  }
}
