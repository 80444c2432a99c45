import { describeClient } from './describe-client.ts'
import { open } from './open-pglite.ts'

describeClient('PGlite', { open, file: './open-pglite.ts', runsIn: 'process' })
