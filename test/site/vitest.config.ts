import { defineConfig } from 'vitest/config'

/** Builds the site and opens it in a browser: `npm run test:site`. Apart from the gate, because its tools are installed in `site` alone. */
export default defineConfig({
  test: { include: ['test/site/built-site.ts'], testTimeout: 60_000, hookTimeout: 300_000 },
})
