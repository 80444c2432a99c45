import { describeClient } from './describe-client.ts'
import { open } from './open-pg.ts'

describeClient('node-postgres', { open, file: './open-pg.ts', runsIn: 'server' })
