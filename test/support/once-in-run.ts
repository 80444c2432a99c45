import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { until } from './until.ts'

const patienceSeconds = 110

/**
 * Makes a folder that all files of a run share, when the first of them needs it. Files run in several processes: one makes it, the others
 * wait. It is gone when the run ends. While it is made it has another name than the last one, which `make` is told too.
 */
export async function onceInRun(
  name: string,
  make: (folder: string, lastName: string) => Promise<void> | void,
): Promise<string> {
  const folder = join(inject('runFolder'), name)
  const [making, failed] = [`${folder}.making`, `${folder}.failed`]
  if (isFirst(`${folder}.lock`)) {
    mkdirSync(making)
    try {
      await make(making, folder)
      renameSync(making, folder)
    } catch (error) {
      writeFileSync(failed, String(error))
      throw error
    }
  }
  await until(
    () => existsSync(folder) || existsSync(failed),
    (isDecided) => isDecided,
    patienceSeconds,
  )
  if (!existsSync(folder)) throw new Error(`${name} could not be made: ${readFileSync(failed, 'utf8')}`)
  return folder
}

/** Only one process can make a folder. It stays until the run ends. */
function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}
