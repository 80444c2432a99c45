import type { SqlConnection } from './sql-client.ts'

/** What is sent together with COMMIT, in one message: each round trip that a transaction does without is time that locks are not held. */
export type Closing = {
  /** Statements run in the order in which they were added. `explain` says what an error at the end means, if it is this one's. */
  readonly add: (statement: string, explain: (error: unknown) => unknown) => void
  readonly explain: (error: unknown) => unknown
}

/** Undefined where the library sends COMMIT itself. */
export function createClosing<Tx>({ closeWith }: SqlConnection<Tx>): Closing | undefined {
  if (closeWith === undefined) return undefined
  const statements: string[] = []
  const explanations: ((error: unknown) => unknown)[] = []
  return {
    add(statement, explain) {
      statements.push(statement)
      explanations.push(explain)
      closeWith(statements)
    },
    explain: (error) => explanations.reduce((explained, explain) => explain(explained), error),
  }
}
