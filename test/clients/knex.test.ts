import { describeStore } from '../store/describe-store.ts'
import { describeClient } from './describe-client.ts'
import { open } from './open-knex.ts'
import { storeOf } from './test-place.ts'

describeStore('the store by way of Knex', storeOf(open))
describeClient('Knex', { open, file: './open-knex.ts', runsIn: 'server' })
