import { describeClient } from './describe-client.ts'
import { open } from './open-knex.ts'

describeClient('Knex', { open, file: './open-knex.ts', runsIn: 'server' })
