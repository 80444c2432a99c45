import { statfsSync } from 'node:fs'

/** Below this, nothing is written: Postgres in WASM does not survive a full disk under its log. */
export const minimumFreeBytes: number = 64 * 1024 * 1024

/** What this process may still write where `directory` is. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
