import { describeStore } from '../store/describe-store.ts'
import { describeClient } from './describe-client.ts'
import { open } from './open-postgres-js.ts'
import { storeOf } from './test-place.ts'

describeStore('the store by way of postgres.js', storeOf(open))
describeClient('postgres.js', { open, file: './open-postgres-js.ts', runsIn: 'server' })
