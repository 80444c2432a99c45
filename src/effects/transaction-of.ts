import type { EffectTransaction } from '../store/effect-transaction.ts'

const transactions = new WeakMap<object, () => EffectTransaction>()

/** For handlers of our own, which write to our own tables: the transaction behind a context. */
export function transactionOf(context: object): EffectTransaction {
  const transaction = transactions.get(context)
  if (transaction === undefined) throw new TypeError('This is not the context of a handler that runs.')
  return transaction()
}

/** Says which transaction a context belongs to, and returns the context. */
export function withTransaction<Context extends object>(
  context: Context,
  transaction: () => EffectTransaction,
): Context {
  transactions.set(context, transaction)
  return context
}
