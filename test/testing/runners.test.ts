import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { compiledFolder } from '../support/compiled.ts'

const root = resolve(import.meta.dirname, '../..')
const place = mkdtempSync(join(tmpdir(), 'oncehook-runners-'))
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8')

/** The complete files of the page, each started as its users start it. */
const runners = [
  { name: 'vitest', tests: 4, start: ['node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--reporter=verbose'] },
  {
    name: 'jest',
    tests: 2,
    start: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--verbose', '--no-watchman'],
  },
  { name: 'node-test', tests: 2, start: ['--test', '--test-reporter=tap', 'example.node-test.mjs'] },
]

afterAll(() => rmSync(place, { recursive: true, force: true }))

describe('the complete examples', () => {
  test.concurrent.each(runners)('pass with $name', async ({ name, tests, start }) => {
    const folder = await makeProject(name)

    const { exitCode, output } = await run(folder, start)

    const passed = [...output.matchAll(/^\s*(?:✓|ok \d+ -)/gm)]
    expect({ passed: passed.length, failure: exitCode === 0 ? '' : output }).toEqual({ passed: tests, failure: '' })
  })
})

/** A project of a user's, with this package and the runners installed. Not below a folder of packages: Jest looks for no tests there. */
async function makeProject(name: string): Promise<string> {
  const folder = join(place, name)
  const packages = join(folder, 'node_modules')
  mkdirSync(packages, { recursive: true })
  symlinkSync(await compiledFolder(), join(packages, 'oncehook'), 'junction')
  for (const used of ['vitest', 'jest', '@jest']) {
    symlinkSync(join(root, 'node_modules', used), join(packages, used), 'junction')
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', jest: jestSettings }))
  writeFileSync(join(folder, fileNames[name] ?? ''), exampleFor(name))
  return folder
}

const jestSettings = { testMatch: ['**/*.test.mjs'], transform: {}, moduleFileExtensions: ['mjs', 'js', 'json'] }

const fileNames: Readonly<Record<string, string>> = {
  vitest: 'example.test.mjs',
  jest: 'example.test.mjs',
  'node-test': 'example.node-test.mjs',
}

function exampleFor(name: string): string {
  const [, code] = new RegExp(`^\`\`\`ts not-run ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? []
  if (code === undefined) throw new Error(`docs/testing.md has no example for ${name}`)
  return code
}

function run(
  folder: string,
  start: readonly string[],
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NO_COLOR: '1',
    DATABASE_URL: inject('databaseUrl'),
  }
  return new Promise((finish) => {
    execFile(process.execPath, start, { cwd: folder, env, timeout: 60_000 }, (error, printed, complaints) => {
      const exitCode = typeof error?.code === 'number' ? error.code : Number(error !== null)
      finish({ exitCode, output: `${printed}\n${complaints}` })
    })
  })
}
