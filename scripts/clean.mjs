// Removes build output, so that a file deleted from `src` does not live on in `dist`.
import { rmSync } from 'node:fs'

for (const path of process.argv.slice(2)) rmSync(path, { recursive: true, force: true })
