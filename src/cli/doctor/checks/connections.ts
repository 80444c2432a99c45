import type { Check, Finding } from '../check.ts'

/** One connection listens and one is for our own short statements; the rest is for handlers. */
const reservedConnections = 2
const nearlyFull = 0.9

export const connectionsCheck: Check = {
  name: 'connections',
  run({ inspection: { store, connections, server }, app }) {
    if (store === 'pglite') return []
    const { poolSize, concurrency, processes } = app
    const { maximum, used } = connections
    const room = poolSize - reservedConnections
    const wanted = poolSize * processes
    const findings: Finding[] = []
    if (room < 1) {
      findings.push({
        severity: 'warning',
        fact: `A pool of ${poolSize} has no connection to spare for listening, so workers ask every few seconds instead.`,
        cure: `Give the pool at least ${concurrency + reservedConnections} connections.`,
      })
    } else if (concurrency > room) {
      findings.push({
        severity: 'warning',
        fact: `A pool of ${poolSize} has room for ${room} handlers at once, so a concurrency of ${concurrency} is never reached.`,
        cure: `Give the pool at least ${concurrency + reservedConnections} connections, or lower worker.concurrency.`,
      })
    }
    // A pooler has its own limits, which cannot be seen from here.
    if (server.way === 'pooled' || maximum === 0) return findings
    if (wanted > maximum) {
      findings.push({
        severity: 'error',
        fact: `${processes} processes with pools of ${poolSize} may ask for ${wanted} connections, where the server takes ${maximum}.`,
        cure: 'Make the pools smaller, put PgBouncer in between, or raise max_connections, which needs a restart.',
        sql: [`alter system set max_connections = ${wanted + 20}`],
      })
    } else if (used >= maximum * nearlyFull) {
      findings.push({
        severity: 'error',
        fact: `${used} of ${maximum} connections are taken: the next ones are refused, and deliveries answered with 503.`,
        cure: 'See in pg_stat_activity who holds them, and make pools smaller or put PgBouncer in between.',
      })
    }
    return findings
  },
}
