import { defineConfig } from 'vitest/config'

/** `npm run test:prover`: every example with many seeds. Takes an hour or two, so it is no part of the gate. */
export default defineConfig({
  test: {
    include: ['test/prover/full-matrix.ts', 'test/prover/every-provider.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    maxConcurrency: 6,
    reporters: ['verbose'],
  },
})
