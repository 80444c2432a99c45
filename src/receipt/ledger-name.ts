import type { Clock } from '../clock.ts'

/** The name of the ledger as it was heard not long ago. */
export type LedgerName = {
  /** Undefined if it was not heard for too long. Asks again in the background when it is time to. */
  readonly current: () => string | undefined
  /** Resolves when it was asked for, also if there was no answer. */
  readonly ask: () => Promise<void>
}

export type LedgerNameOptions = {
  readonly read: () => Promise<string>
  readonly clock: Clock
  readonly askAgainMilliseconds?: number
  readonly trustMilliseconds?: number
}

/**
 * A ledger that was restored, emptied or replaced has another name, and whatever was remembered of the old one no longer counts. As it may
 * happen at any time, the name is asked for every second while deliveries come, and not trusted for longer than ten.
 */
export function createLedgerName(options: LedgerNameOptions): LedgerName {
  const { read, clock, askAgainMilliseconds = 1000, trustMilliseconds = 10_000 } = options
  let heard: { readonly name: string; readonly askedAt: number } | undefined
  let asking: Promise<void> | undefined

  return {
    current() {
      const age = heard === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() - heard.askedAt
      if (age >= askAgainMilliseconds) void ask()
      return age < trustMilliseconds ? heard?.name : undefined
    },
    ask,
  }

  function ask(): Promise<void> {
    asking ??= hear().finally(() => {
      asking = undefined
    })
    return asking
  }

  async function hear(): Promise<void> {
    const askedAt = clock.now().getTime()
    try {
      heard = { name: await read(), askedAt }
    } catch {
      // A store that is away is told of by the deliveries that need it; here it only means that the trust runs out.
    }
  }
}
