import { describeDuration } from '../../duration.ts'
import { describeCount } from '../amounts.ts'
import type { Check } from '../check.ts'

/** Dead rows of the queue are walked over by every claim until they are removed. */
export const autovacuumCheck: Check = {
  name: 'autovacuum',
  run({ inspection: { server, store, tables }, limits }) {
    // PGlite has no other process that could do it.
    const isEmbedded = store === 'pglite'
    if (!isEmbedded && !server.isAutovacuumOn) {
      return [
        {
          severity: 'error',
          fact: 'Autovacuum is off: dead rows pile up, until claiming events is slow and the server stops taking writes.',
          cure: 'Switch it on, with track_counts, and reload the settings.',
          sql: ['alter system set autovacuum = on', 'alter system set track_counts = on', 'select pg_reload_conf()'],
        },
      ]
    }
    return tables.flatMap(
      ({ name, isAutovacuumed, autovacuumSql, vacuumSql, deadRows, vacuumAt, secondsSinceVacuum }) => {
        if (!isAutovacuumed) {
          return [
            {
              severity: 'warning' as const,
              fact: `Autovacuum is off for the table ${name}, so its dead rows pile up.`,
              cure: 'Switch it on again.',
              sql: [autovacuumSql],
            },
          ]
        }
        const isLate = (secondsSinceVacuum ?? Number.POSITIVE_INFINITY) > limits.vacuumSeconds
        if (deadRows < limits.deadRows || deadRows < vacuumAt * 2 || !isLate) return []
        const last =
          secondsSinceVacuum === undefined
            ? 'never been'
            : `not been for ${describeDuration(secondsSinceVacuum * 1000)}`
        return [
          {
            severity: 'warning' as const,
            fact: `The table ${name} has ${describeCount(deadRows)} dead rows, and vacuum has ${last} there.`,
            cure: isEmbedded
              ? 'Vacuum it now and then from the app, as PGlite does not by itself.'
              : 'See whether an old transaction holds it back, then vacuum it, or give autovacuum more workers.',
            sql: [vacuumSql],
          },
        ]
      },
    )
  },
}
