import { defineConfig } from 'vitest/config'

/** `npm run test:frameworks`: the frameworks that take long to install and to build, so they are no part of the gate. */
export default defineConfig({
  test: {
    include: ['test/adapters/heavy-frameworks.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters: ['verbose'],
  },
})
