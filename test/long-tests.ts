/** Files that are no part of the gate, because half a minute of it is too much for what changes rarely. `npm run test:long` runs them. */
export const longTests: readonly string[] = [
  'test/clients/libraries-over-drivers.test.ts',
  'test/guarantees/simulated-year.test.ts',
  'test/pglite/disk-failure.test.ts',
  'test/pglite/kill.test.ts',
  'test/pglite/power-cut.test.ts',
  'test/prover/matrix.test.ts',
  'test/prover/mutants.test.ts',
]
