import { before } from './apps.ts'
import { serve } from './serve.ts'

await serve(before)
