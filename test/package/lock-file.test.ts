import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('the lock file leaves open where packages come from', async () => {
  const lockFile = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')

  expect(lockFile).not.toContain('"resolved"')
})
