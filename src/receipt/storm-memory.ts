import type { Clock } from '../clock.ts'
import type { Cache } from './cache.ts'
import { memoryCache } from './memory-cache.ts'

/** What is remembered while many deliveries are duplicates, and nothing otherwise. */
export type StormMemory = {
  /** Undefined while there is no storm. */
  readonly cache: Cache | undefined
  /** Told of every delivery that was answered. */
  readonly learn: (isDuplicate: boolean) => void
}

/** The share of duplicates with which it begins, and below which it is over. Apart, so that it does not change all the time. */
const shareToBegin = 0.4
const shareToEnd = 0.25

/** So many deliveries make up two thirds of the share. */
const deliveries = 100

/**
 * The database answers a duplicate as cheaply as it can, but it has to be asked. In a storm most copies are of what this process has just
 * answered for, so that is remembered. Nothing is remembered before a storm, nothing after it, and nothing for longer than a minute.
 */
export function createStormMemory({ clock }: { readonly clock: Clock }): StormMemory {
  let share = 0
  let cache: Cache | undefined

  return {
    get cache() {
      return cache
    },
    learn(isDuplicate) {
      share += ((isDuplicate ? 1 : 0) - share) / deliveries
      if (cache === undefined) {
        if (share >= shareToBegin) cache = memoryCache({ rememberSeconds: 60, clock })
      } else if (share < shareToEnd) {
        cache = undefined
      }
    },
  }
}
