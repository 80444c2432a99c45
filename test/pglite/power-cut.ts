import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const blockBytes = 4096

/**
 * Puts what a platter (see platter.ts) holds into `target`, as the machine would find it after the power came back.
 * A disk may also have written blocks that nobody asked it to sync: `chance` says for each block whether the newer one, from `live`, is there.
 */
export function restoreFromPlatter({
  platter,
  live,
  target,
  chance,
}: {
  readonly platter: string
  readonly live: string
  readonly target: string
  readonly chance: () => boolean
}): void {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const [path, ino] of namesOf(platter)) {
    if (ino === 'directory') {
      mkdirSync(join(target, path), { recursive: true })
      continue
    }
    mkdirSync(dirname(join(target, path)), { recursive: true })
    const content = join(platter, 'content', String(ino))
    if (existsSync(content)) copyFileSync(content, join(target, path))
    else writeFileSync(join(target, path), '')
    takeBlocks(join(live, path), join(target, path), chance)
  }
}

function namesOf(platter: string): Map<string, number | 'directory'> {
  const names = new Map<string, number | 'directory'>()
  // The last line may be cut off.
  const lines = readFileSync(join(platter, 'names.log'), 'utf8').split('\n').slice(0, -1)
  for (const line of lines) {
    const { path, ino } = JSON.parse(line) as { path: string; ino: number | 'directory' | 'removed' }
    if (ino === 'removed') names.delete(path)
    else names.set(path, ino)
  }
  return names
}

function takeBlocks(from: string, to: string, chance: () => boolean): void {
  if (!existsSync(from)) return
  const [source, target] = [openSync(from, 'r'), openSync(to, 'r+')]
  const [buffer, length] = [Buffer.alloc(blockBytes), Math.min(fstatSync(source).size, fstatSync(target).size)]
  for (let position = 0; position < length; position += blockBytes) {
    if (!chance()) continue
    const read = readSync(source, buffer, 0, Math.min(blockBytes, length - position), position)
    writeSync(target, buffer, 0, read, position)
  }
  closeSync(source)
  closeSync(target)
}

/** The same numbers for the same seed (mulberry32), so that a failing run can be run again. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
