import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { causeNames } from '../../src/prover/causes.ts'
import { allScenarios } from '../../src/prover/scenarios/all-scenarios.ts'

const page = readFileSync(new URL('../../docs/prover.md', import.meta.url), 'utf8')

test('docs/prover.md has a row for every scenario with its promise, and no other', () => {
  const rows = [...page.matchAll(/^\| `([a-z][a-z-]+)` \| ([A-Z].*?) \|/gm)].map(
    ([, name, promise]) => `${name}: ${promise}`,
  )

  expect(rows).toEqual(allScenarios.map(({ name, promise }) => `${name}: ${promise}`))
})

test('docs/prover.md has a cure for every cause, at the place that reports link to, and no other', () => {
  const headings = [...page.matchAll(/^### ([a-z-]+)$/gm)].map(([, name]) => name)

  expect(headings).toEqual(causeNames)
})
