import { after } from './apps.ts'
import { serve } from './serve.ts'

await serve(after)
