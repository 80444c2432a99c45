import type { Check } from '../check.ts'

export const writableCheck: Check = {
  name: 'writable',
  run({ inspection: { server } }) {
    if (server.isStandby) {
      return [
        {
          severity: 'error',
          fact: 'This server is a standby, which only reads: no delivery can be accepted here, and what it shows may be old.',
          cure: 'Connect to the primary, for example with target_session_attrs=read-write in the address.',
        },
      ]
    }
    if (!server.isReadOnly) return []
    return [
      {
        severity: 'error',
        fact: 'Transactions are read-only here, so no delivery can be accepted.',
        cure: 'Switch default_transaction_read_only off for this role, this database or the server, wherever it was switched on.',
        sql: [`alter role "${server.role}" set default_transaction_read_only = off`],
      },
    ]
  },
}
