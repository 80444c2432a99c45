import type { Check, Finding } from '../check.ts'

/** What the server's own settings make of an acknowledged event. */
export const durabilityCheck: Check = {
  name: 'durability',
  run({ durability: { facts, tier, warnings }, inspection: { store } }) {
    if (store === 'pglite') {
      if (tier !== 'T1') return []
      const cure = 'Give pgliteStore a directory, and leave its settings as they are.'
      return warnings.map((fact) => ({ severity: 'error' as const, fact, cure }))
    }
    const findings: (Finding | false)[] = [
      facts['fsync'] !== 'on' && {
        severity: 'error',
        fact: 'fsync is off: a power cut loses acknowledged events, and can destroy the database.',
        cure: 'Switch it on and reload the settings.',
        sql: ['alter system set fsync = on', 'select pg_reload_conf()'],
      },
      facts['synchronous_commit'] === 'off' && {
        severity: 'error',
        fact: 'synchronous_commit is off: a crash of the server loses the events acknowledged just before.',
        cure: 'Switch it on for the role or the database that the app uses, or for the server.',
        sql: ['alter system set synchronous_commit = on', 'select pg_reload_conf()'],
      },
      facts['full_page_writes'] !== 'on' && {
        severity: 'error',
        fact: 'full_page_writes is off: a power cut can leave half-written pages.',
        cure: 'Switch it on and reload the settings, unless the file system prevents such pages.',
        sql: ['alter system set full_page_writes = on', 'select pg_reload_conf()'],
      },
      Number(facts['replicas']) > 0 &&
        facts['synchronous_standby_names'] === '' && {
          severity: 'warning',
          fact: 'Replicas follow asynchronously: a fail-over to one loses what it had not received, though it was acknowledged.',
          cure: 'Name one in synchronous_standby_names, or accept that loss knowingly.',
          sql: ["alter system set synchronous_standby_names = 'FIRST 1 (*)'", 'select pg_reload_conf()'],
        },
    ]
    return findings.filter((finding) => finding !== false)
  },
}
