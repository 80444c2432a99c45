import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux keeps files in memory. */
const memory = '/dev/shm'

/** What all databases of a run may take at most, with room to spare. */
const neededBytes = 4_000_000_000

/**
 * Makes the folder for temporary files of this run, and of every process that it starts. In memory where there is room: most of a run's
 * time on a small machine goes into waiting for a disk. Nothing that is tested depends on one: a process that is killed leaves its files in
 * memory as it leaves them in the cache of a disk, and power cuts are played. Answers with how to remove it.
 */
export function moveTemporaryFiles(): () => void {
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), 'oncehook-tests-'))
  // Root runs PostgreSQL as somebody else, who has to pass through.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  return remove
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}
