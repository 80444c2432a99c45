import type { Check } from '../check.ts'

export const poolerCheck: Check = {
  name: 'pooler',
  run({ inspection: { server } }) {
    if (server.wakeUps !== 'poll' || server.isStandby) return []
    if (server.way === 'direct') {
      return [
        {
          severity: 'warning',
          fact: 'A notification did not arrive within two seconds, so workers ask every few seconds instead of being called.',
          cure: 'See whether the pool has a connection to spare, and whether something between here and the server swallows notifications.',
        },
      ]
    }
    return [
      {
        severity: 'warning',
        fact: 'A pooler in transaction mode stands before the server (PgBouncer, or one like it): LISTEN does not pass, so workers ask every few seconds, and named prepared statements of your library fail below PgBouncer 1.21.',
        cure: 'Give workers the address of the server itself, or of a pool in session mode; handlers on postgres.js need prepare: false.',
      },
    ]
  },
}
