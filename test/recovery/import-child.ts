// Imports a table in a process of its own, and tells the test after every batch: tests kill it in the middle.

import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { ImportChildOptions } from './import-process.ts'

const { databaseUrl, schema, options } = JSON.parse(process.env['IMPORT_OPTIONS'] ?? '{}') as ImportChildOptions
const inbox = createInbox({
  store: postgresStore(databaseUrl, { schema }),
  sources: { stripe: stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }) },
})
await inbox.importTable({ ...options, onProgress: (report) => process.send?.(report) })
await inbox.close()
process.disconnect()
