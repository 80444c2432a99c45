import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Makes everything in a directory durable: each file, and each directory that names them. */
export function syncDirectoryTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) syncDirectoryTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncDirectory(directory)
}

/** Makes the names in one directory durable: a synced file whose name was not synced is gone after a power cut. */
export function syncDirectory(directory: string): void {
  // Windows cannot open a directory, and keeps names in its journal by itself.
  if (process.platform !== 'win32') syncPath(directory)
}

/** The same for a directory and all above it, up to the first that cannot be opened. */
export function syncDirectoryAndParents(directory: string): void {
  syncDirectory(directory)
  for (let path = directory; dirname(path) !== path; path = dirname(path)) {
    try {
      syncDirectory(dirname(path))
    } catch {
      // Not ours to open, so nothing in it was created by us.
      return
    }
  }
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
