import { describeClient } from './describe-client.ts'
import { open, openOverPostgresJs } from './open-drizzle.ts'

describeClient('Drizzle over node-postgres', { open, file: './open-drizzle.ts', runsIn: 'server' })
describeClient('Drizzle over postgres.js', {
  open: openOverPostgresJs,
  file: './open-drizzle.ts',
  exportName: 'openOverPostgresJs',
  runsIn: 'server',
})
