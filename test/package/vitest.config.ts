import { defineConfig } from 'vitest/config'

/** The shape of the package needs no database, so this run does without the global setup of the other tests. */
export default defineConfig({
  test: { include: ['test/package/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
})
