import { readdirSync } from 'node:fs'
import { copyMadeDirectory } from '../pglite/made-directory.ts'
import { describeClient } from './describe-client.ts'
import { open } from './open-pglite.ts'

const openCopy: typeof open = async (place) => {
  if (readdirSync(place.directory).length === 0) await copyMadeDirectory(place.directory)
  return open(place)
}

describeClient('PGlite', { open: openCopy, file: './open-pglite.ts', runsIn: 'process' })
