import { describeStore } from '../store/describe-store.ts'
import { describeClient } from './describe-client.ts'
import { open, openOverPostgresJs } from './open-drizzle.ts'
import { storeOf } from './test-place.ts'

describeStore('the store by way of Drizzle over node-postgres', storeOf(open))
describeStore('the store by way of Drizzle over postgres.js', storeOf(openOverPostgresJs))
describeClient('Drizzle over node-postgres', { open, file: './open-drizzle.ts', runsIn: 'server' })
describeClient('Drizzle over postgres.js', {
  open: openOverPostgresJs,
  file: './open-drizzle.ts',
  exportName: 'openOverPostgresJs',
  runsIn: 'server',
})
