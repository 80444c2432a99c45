import { describeStore } from '../store/describe-store.ts'
import { describeClient } from './describe-client.ts'
import { open } from './open-prisma.ts'
import { storeOf } from './test-place.ts'

describeStore('the store by way of Prisma', storeOf(open))
describeClient('Prisma', { open, file: './open-prisma.ts', runsIn: 'server' })
