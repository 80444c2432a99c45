import { describeClient } from './describe-client.ts'
import { open } from './open-typeorm.ts'

describeClient('TypeORM', { open, file: './open-typeorm.ts', runsIn: 'server' })
