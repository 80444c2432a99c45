import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { longTests } from './test/long-tests.ts'

const shared = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Many files start processes of their own and wait for them; three at a time keep two cores busy.
  maxWorkers: 3,
}
const together = ['src', 'dashboard/src', 'test/architecture', 'test/providers', 'test/simulator', 'test/types']
  .flatMap(testsUnder)
  .filter(isPure)

/**
 * Files that only compute share two processes: to start one for each, and to load the same modules in it again, takes longer than most of
 * them run. All others have one of their own, and a database.
 */
export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'together', include: together, isolate: false } },
      {
        test: {
          ...shared,
          name: 'apart',
          include: ['src/**/*.test.ts', 'dashboard/src/**/*.test.ts', 'test/**/*.test.ts'],
          // With settings of their own, as package.json says.
          exclude: ['**/node_modules/**', 'test/package/**', 'test/site/**', ...longTests, ...together],
          globalSetup: ['test/support/global-setup.ts'],
          // As in `test/support/compiled.ts`.
          execArgv: ['--liftoff-only'],
        },
      },
    ],
  },
})

function testsUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
}

/** A module that one file replaces would be replaced for others too. What is in `support` needs a server, and so does the command line. */
function isPure(file: string): boolean {
  return !/vi\.(?:mock|doMock|stubGlobal|stubEnv|useFakeTimers)\(|\/support\/|\/command-line\.ts/.test(
    readFileSync(file, 'utf8'),
  )
}
