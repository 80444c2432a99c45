import { createRequire, syncBuiltinESMExports } from 'node:module'
import { join, resolve, sep } from 'node:path'

/**
 * Loaded into a child with `--import`, before anything else: keeps a copy of what a disk would hold if the power went now.
 * Bytes get there only when their file is synced, names only when the file or its directory is. The copy is itself made of plain
 * files, so it is complete at whatever moment the child is killed:
 * `content/<inode>` has the synced bytes, and each line of `names.log` is a name that was added (with its inode) or removed.
 */
const watched = resolve(process.env['PLATTER_OF'] ?? '.')
const platter = resolve(process.env['PLATTER'] ?? '.')

const fs = createRequire(import.meta.url)('node:fs') as typeof import('node:fs')
const original = { ...fs }
const paths = new Map<number, string>()
const dirty = new Map<number, [position: number, length: number][] | 'whole'>()
const contents = new Map<number, number>()
const kept = new Map<string, number>()

original.mkdirSync(join(platter, 'content'), { recursive: true })
const log = original.openSync(join(platter, 'names.log'), 'a')
// What is there at the start was synced long ago.
if (original.existsSync(watched)) keepTree(watched)

const patches: Partial<typeof fs> = {
  openSync: (path, ...rest) => {
    const descriptor = original.openSync(path, ...rest)
    if (typeof path === 'string' && isWatched(path)) paths.set(descriptor, resolve(path))
    return descriptor
  },
  closeSync: (descriptor) => {
    paths.delete(descriptor)
    original.closeSync(descriptor)
  },
  writeSync: ((descriptor: number, buffer: Uint8Array, offset: number, length: number, position: number) => {
    const written = original.writeSync(descriptor, buffer, offset, length, position)
    if (paths.has(descriptor)) {
      const { ino } = original.fstatSync(descriptor)
      const ranges = dirty.get(ino) ?? []
      if (ranges !== 'whole') dirty.set(ino, [...ranges, [position, written]])
    }
    return written
  }) as typeof fs.writeSync,
  ftruncateSync: (descriptor, length) => {
    original.ftruncateSync(descriptor, length)
    if (paths.has(descriptor)) dirty.set(original.fstatSync(descriptor).ino, 'whole')
  },
  truncateSync: (path, length) => {
    original.truncateSync(path, length)
    dirty.set(original.statSync(path).ino, 'whole')
  },
  renameSync: (from, to) => {
    original.renameSync(from, to)
    for (const [descriptor, path] of paths)
      if (path === resolve(String(from))) paths.set(descriptor, resolve(String(to)))
  },
  fsyncSync: (descriptor) => sync(descriptor),
  fdatasyncSync: (descriptor) => sync(descriptor),
}
Object.assign(fs, patches)
syncBuiltinESMExports()

function isWatched(path: string): boolean {
  return resolve(path) === watched || resolve(path).startsWith(watched + sep)
}

function sync(descriptor: number): void {
  const path = paths.get(descriptor)
  if (path === undefined) return
  if (original.fstatSync(descriptor).isDirectory()) return keepNames(path)
  keepBytes(descriptor)
  keepName(path, original.fstatSync(descriptor).ino)
}

function keepBytes(descriptor: number): void {
  const { ino, size } = original.fstatSync(descriptor)
  const isNew = !contents.has(ino)
  const content = contents.get(ino) ?? original.openSync(join(platter, 'content', String(ino)), 'w+')
  contents.set(ino, content)
  const ranges = isNew ? 'whole' : (dirty.get(ino) ?? [])
  // A descriptor may be open for writing only; the bytes are read through one of our own.
  const source = original.openSync(paths.get(descriptor) ?? '', 'r')
  for (const [position, length] of ranges === 'whole' ? [[0, size] as const] : ranges) {
    const buffer = Buffer.alloc(length)
    const read = original.readSync(source, buffer, 0, length, position)
    original.writeSync(content, buffer, 0, read, position)
  }
  original.closeSync(source)
  original.ftruncateSync(content, size)
  dirty.delete(ino)
}

function keepName(path: string, ino: number | 'directory'): void {
  const value = ino === 'directory' ? 0 : ino
  if (kept.get(path) === value) return
  kept.set(path, value)
  original.writeSync(log, `${JSON.stringify({ path: path.slice(watched.length + 1), ino })}\n`)
}

function keepNames(directory: string): void {
  keepName(directory, 'directory')
  const names = new Set(original.readdirSync(directory))
  for (const path of kept.keys()) {
    const name = path.startsWith(directory + sep) ? path.slice(directory.length + 1) : ''
    if (name === '' || name.includes(sep) || names.has(name)) continue
    kept.delete(path)
    original.writeSync(log, `${JSON.stringify({ path: path.slice(watched.length + 1), ino: 'removed' })}\n`)
  }
  for (const name of names) {
    const path = join(directory, name)
    const entry = original.statSync(path)
    keepName(path, entry.isDirectory() ? 'directory' : entry.ino)
  }
}

function keepTree(directory: string): void {
  for (const name of original.readdirSync(directory)) {
    const path = join(directory, name)
    if (original.statSync(path).isDirectory()) {
      keepTree(path)
      continue
    }
    const descriptor = original.openSync(path, 'r')
    paths.set(descriptor, path)
    keepBytes(descriptor)
    paths.delete(descriptor)
    original.closeSync(descriptor)
  }
  keepNames(directory)
}
