import { defineConfig } from 'vitest/config'
import { longTests } from './long-tests.ts'

/** `npm run test:long`: tests that take minutes each, and those whose numbers matter, with all of them. The gate has a tenth of those. */
export default defineConfig({
  test: {
    include: [
      ...longTests,
      'test/recovery/import.test.ts',
      'test/recovery/outage.test.ts',
      'test/guarantees/outbox.test.ts',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    env: { ONCEHOOK_SCALE: 'full' },
    testTimeout: 600_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    execArgv: ['--liftoff-only'],
    reporters: ['verbose'],
  },
})
