import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allRoutes } from './all-routes.ts'

test('docs/dashboard-api.md has a row for every call, with its role, and no other', () => {
  const page = readFileSync(new URL('../../docs/dashboard-api.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `((?:GET|POST|PUT|DELETE) [^`]+)` \| (\w+) \|/gm)].map(
    ([, call, role]) => `${call} ${role}`,
  )

  expect(rows.toSorted()).toEqual(allRoutes.map(({ method, path, role }) => `${method} ${path} ${role}`).toSorted())
})

test('every call has a name of its own', () => {
  expect(new Set(allRoutes.map(({ name }) => name)).size).toBe(allRoutes.length)
})
