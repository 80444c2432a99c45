import type { SqlCall, SqlConnection } from './sql-client.ts'

/** What is sent together with COMMIT, in one message: each round trip that a transaction does without is time that locks are not held. */
export type Closing = {
  /** They run in the order in which they were added. `explain` says what an error at the end means, if it is this one's. */
  readonly add: (call: SqlCall, explain: (error: unknown) => unknown) => void
  readonly explain: (error: unknown) => unknown
}

/** Undefined where the library sends COMMIT itself. */
export function createClosing<Tx>({ closeWith }: SqlConnection<Tx>): Closing | undefined {
  if (closeWith === undefined) return undefined
  const calls: SqlCall[] = []
  const explanations: ((error: unknown) => unknown)[] = []
  return {
    add(call, explain) {
      calls.push(call)
      explanations.push(explain)
      closeWith(calls)
    },
    explain: (error) => explanations.reduce((explained, explain) => explain(explained), error),
  }
}
