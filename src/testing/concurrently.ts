import { invalidOptions } from '../errors.ts'
import { randomOf } from './random.ts'

/**
 * Starts the work so often at once, each before any of them is waited for, and answers with all results in the order in which they were
 * started. If one rejects, the others are waited for first, so that nothing of them runs on into the next test.
 */
export async function concurrently<Result>(
  times: number,
  work: (index: number) => Promise<Result> | Result,
): Promise<Result[]> {
  if (!Number.isSafeInteger(times) || times < 1) {
    throw invalidOptions('concurrently', [`The number of times is ${String(times)}: give a whole number above 0.`])
  }
  // A function that throws at once must not keep the others from being started.
  const started = Array.from({ length: times }, async (_, index) => work(index))
  const settled = await Promise.allSettled(started)
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

/** The items in another order than they were given in: the same one for the same seed. */
export function outOfOrder<Item>(items: readonly Item[], seed: string | number = 0): readonly Item[] {
  if (items.length < 2) {
    throw invalidOptions('outOfOrder', [`${items.length} item cannot be in another order: give at least two.`])
  }
  const shuffled = randomOf(String(seed), 'order').shuffled(items)
  const isOther = shuffled.some((item, index) => item !== items[index])
  return isOther ? shuffled : [...items.slice(1), ...items.slice(0, 1)]
}
