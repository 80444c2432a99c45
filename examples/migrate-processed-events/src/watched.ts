import { watched } from './apps.ts'
import { serve } from './serve.ts'

await serve(watched)
