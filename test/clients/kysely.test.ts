import { describeStore } from '../store/describe-store.ts'
import { describeClient } from './describe-client.ts'
import { open } from './open-kysely.ts'
import { storeOf } from './test-place.ts'

describeStore('the store by way of Kysely', storeOf(open))
describeClient('Kysely', { open, file: './open-kysely.ts', runsIn: 'server' })
