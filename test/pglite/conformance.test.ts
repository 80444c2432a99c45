import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { describeHousekeeping } from '../store/describe-housekeeping.ts'
import { describeStore } from '../store/describe-store.ts'
import { pgliteStores } from './pglite-stores.ts'

const directory = mkdtempSync(join(tmpdir(), 'oncehook-conformance-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const inMemory = pgliteStores({ kind: 'memory' })

describeStore('PGlite in memory', inMemory)
describeHousekeeping('PGlite in memory', inMemory)
describeStore('PGlite in a directory', pgliteStores({ kind: 'directory', directory }))
