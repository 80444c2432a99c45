import { defineConfig } from 'vitest/config'

/** `npm run test:scale`: tests whose numbers matter, with all of them. Takes minutes, so the gate has a tenth of each. */
export default defineConfig({
  test: {
    include: ['test/recovery/import.test.ts', 'test/recovery/outage.test.ts', 'test/guarantees/outbox.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    env: { ONCEHOOK_SCALE: 'full' },
    testTimeout: 600_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    reporters: ['verbose'],
  },
})
