import type { Store } from '../index.ts'
import { type Life, never } from './life.ts'

type StoreTransaction<Tx> = Parameters<Parameters<Store<Tx>['transaction']>[0]>[0]
type RunHandler<Tx> = StoreTransaction<Tx>['runHandler']

/** Those that answer at once, and the one that outlives the process. */
const untouched = ['migrationSql', 'close']

/**
 * The store as a process sees it that may die: from then on no call reaches the database, and none is ever answered. What was begun and not
 * committed is rolled back, as the database does with a connection that is cut.
 */
export function mortalStore<Tx>(store: Store<Tx>, life: Life): Store<Tx> {
  const mortal = mortalMembers(store, life)
  return {
    ...mortal,
    recordReceipts: (receipts) => passing(mortal.recordReceipts(receipts), () => life.reaches('record')),
    claim: (request) => passing(mortal.claim(request), (claims) => claims.length > 0 && life.reaches('claim')),
    async transaction(work, options) {
      let ranHandler = false
      const committed = mortal.transaction((transaction) => {
        const watched = (run: RunHandler<Tx>): RunHandler<Tx> => {
          return async (handler, limits) => {
            ranHandler = true
            return await runMortally({ run, life }, handler, limits)
          }
        }
        const { beside } = transaction
        return work({
          ...transaction,
          runHandler: watched(transaction.runHandler),
          runShared: watched(transaction.runShared),
          runTogether: watched(transaction.runTogether),
          ...(beside !== undefined && {
            beside: () => {
              const side = beside()
              return { ...side, run: watched(side.run) }
            },
          }),
        })
      }, options)
      return await passing(committed, () => ranHandler && life.reaches('commit'))
    },
    outbox: {
      ...mortal.outbox,
      publish: async (leases) => (life.reaches('send') ? never() : mortal.outbox.publish(leases)),
    },
  }
}

/** The answer, unless the life ended with it. */
async function passing<Result>(answer: Promise<Result>, isEnd: (result: Result) => boolean): Promise<Result> {
  const result = await answer
  return isEnd(result) ? never() : result
}

/** A handler that is cut off at the end of the life, with its connection. */
async function runMortally<Tx, Result>(
  { run, life }: { readonly run: RunHandler<Tx>; readonly life: Life },
  handler: (tx: Tx) => Promise<Result>,
  limits: Parameters<RunHandler<Tx>>[1],
): Promise<Result> {
  const { abort } = limits
  life.running.add(abort)
  try {
    return await run(async (tx) => {
      const result = await handler(tx)
      return life.reaches('handler') ? never() : result
    }, limits)
  } finally {
    life.running.delete(abort)
  }
}

/** Every member that does something; those of the parts of a store too. */
function mortalMembers<Members extends object>(members: Members, life: Life): Members {
  const entries = Object.entries(members).map(([name, member]: [string, unknown]) => {
    if (untouched.includes(name)) return [name, member]
    if (typeof member === 'function') return [name, mortalFunction(member, life)]
    return [name, typeof member === 'object' && member !== null ? mortalMembers(member, life) : member]
  })
  return Object.fromEntries(entries) as Members
}

function mortalFunction(call: Function, life: Life): (...given: readonly unknown[]) => Promise<unknown> {
  return async (...given) => {
    if (life.isOver()) return never()
    const begun = (async (): Promise<unknown> => Reflect.apply(call, undefined, given))()
    life.begun.add(begun)
    try {
      const answer = await begun
      return life.isOver() ? never() : answer
    } catch (error) {
      if (life.isOver()) return never()
      throw error
    } finally {
      life.begun.delete(begun)
    }
  }
}
