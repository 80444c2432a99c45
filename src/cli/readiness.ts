import type { Inbox } from '../index.ts'

/** Whether traffic may come: the database answers, and nobody has asked to stop. */
export type Readiness = {
  readonly isReady: () => Promise<boolean>
  /** From now on it is not. */
  readonly end: () => void
}

const patienceMilliseconds = 2000
/** However often balancers ask, the database is asked once in a while. */
const keptMilliseconds = 1000

export function createReadiness(inboxNow: () => Inbox<unknown>): Readiness {
  let isEnding = false
  let known: { readonly at: number; readonly answer: Promise<boolean> } | undefined
  return {
    end: () => {
      isEnding = true
    },
    async isReady() {
      if (isEnding) return false
      if (known === undefined || performance.now() - known.at > keptMilliseconds) {
        known = { at: performance.now(), answer: ask(inboxNow()) }
      }
      return (await known.answer) && !isEnding
    },
  }
}

function ask({ receipts }: Inbox<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMilliseconds)
    const settle = (isThere: boolean) => (): void => {
      clearTimeout(timer)
      resolve(isThere)
    }
    receipts.find({ limit: 1 }).then(settle(true), settle(false))
  })
}
