/** Files that are no part of the gate, because half a minute of it is too much for what changes rarely. `npm run test:long` runs them. */
export const longTests: readonly string[] = [
  'test/guarantees/simulated-year.test.ts',
  'test/pglite/kill.test.ts',
  'test/prover/mutants.test.ts',
]
