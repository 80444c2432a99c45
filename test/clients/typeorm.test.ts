import { describeStore } from '../store/describe-store.ts'
import { describeClient } from './describe-client.ts'
import { open } from './open-typeorm.ts'
import { storeOf } from './test-place.ts'

describeStore('the store by way of TypeORM', storeOf(open))
describeClient('TypeORM', { open, file: './open-typeorm.ts', runsIn: 'server' })
