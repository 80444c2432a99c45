import { describeClient } from './describe-client.ts'
import { open } from './open-kysely.ts'

describeClient('Kysely', { open, file: './open-kysely.ts', runsIn: 'server' })
