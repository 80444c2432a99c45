import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Change } from './plan.ts'

/** Writes what is new. A file that has come to be there in the meantime is an error, and stays as it is. */
export function writeChanges(directory: string, changes: readonly Change[]): void {
  for (const { path, kind, text } of changes) {
    const file = join(directory, path)
    if (kind === 'there') continue
    mkdirSync(dirname(file), { recursive: true })
    if (kind === 'new') writeFileSync(file, text, { flag: 'wx' })
    else appendFileSync(file, text)
  }
}
