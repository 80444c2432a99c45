import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

type LockFile = { readonly packages: Readonly<Record<string, { optionalDependencies?: Record<string, string> }>> }

describe('the lock file', async () => {
  const text = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')

  test('leaves open where packages come from', () => {
    expect(text).not.toContain('"resolved"')
  })

  test('names the packages of every platform (else run scripts/complete-lock-file.mjs)', () => {
    const { packages } = JSON.parse(text) as LockFile

    const named = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))

    expect(named.filter((name) => packages[`node_modules/${name}`] === undefined)).toEqual([])
  })
})
