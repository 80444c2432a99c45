import { describe } from 'vitest'
import { pgliteStores } from '../pglite/pglite-stores.ts'
import { describeEncryption } from './describe-encryption.ts'
import { describeRedaction } from './describe-redaction.ts'
import { describeRekey } from './describe-rekey.ts'

const makeStore = pgliteStores({ kind: 'memory' })

describe('on PGlite', () => {
  describeRedaction(makeStore)
  describeEncryption(makeStore)
  describeRekey(makeStore)
})
