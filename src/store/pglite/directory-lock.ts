import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeInUse, storeOwnerUnknown } from './pglite-errors.ts'
import { fateOf, identifyThisProcess, type ProcessIdentity } from './process-identity.ts'

export type DirectoryLock = { readonly release: () => void }

/**
 * Takes the lock that is kept in `folder`, or throws `ONCEHOOK_STORE_IN_USE`. Of any number of takers exactly one gets it, and it is
 * taken over only from an owner that is known to be dead, never because of its age.
 *
 * Each owner has a numbered file, and the highest number is the owner. A file is never changed and the highest never removed, so
 * "dead" and "free" stay true once seen, and the next number can be created by one taker only.
 */
export function takeDirectoryLock({
  folder,
  subject,
  identity = identifyThisProcess(),
}: {
  readonly folder: string
  /** What is locked, for the message. */
  readonly subject: string
  readonly identity?: ProcessIdentity
}): DirectoryLock {
  mkdirSync(folder, { recursive: true })
  const claim = join(folder, `claim-${randomUUID()}`)
  // Written and synced before it gets its number, so that nobody ever reads half of it.
  writeFileSync(claim, JSON.stringify(identity), { flag: 'wx', flush: true })
  try {
    for (;;) {
      const highest = highestEntry(folder)
      const outcome = highest?.isFree === false ? judge(join(folder, highest.name), identity) : 'free'
      if (outcome === 'gone') continue
      if (outcome !== 'free') {
        throw outcome.fate === 'alive'
          ? storeInUse(subject, outcome.owner)
          : storeOwnerUnknown(subject, outcome.owner, join(folder, highest?.name ?? ''))
      }
      const mine = (highest?.number ?? 0) + 1
      if (!link(claim, join(folder, String(mine)))) continue
      if (isNewest(folder, mine)) return held(folder, mine)
      rmSync(join(folder, String(mine)), { force: true })
    }
  } finally {
    rmSync(claim, { force: true })
  }
}

type Entry = { readonly name: string; readonly number: number; readonly isFree: boolean }

function highestEntry(folder: string): Entry | undefined {
  return entries(folder).toSorted((left, right) => right.number - left.number)[0]
}

/** False for a taker that slept since it looked, and created a number that was used and given back meanwhile. */
function isNewest(folder: string, mine: number): boolean {
  return entries(folder).every(({ number, isFree }) => number < mine || (number === mine && !isFree))
}

function entries(folder: string): Entry[] {
  return readdirSync(folder).flatMap((name) => {
    const [, number, suffix] = /^(\d{1,15})(\.free)?$/.exec(name) ?? []
    return number === undefined ? [] : [{ name, number: Number(number), isFree: suffix !== undefined }]
  })
}

type Judgement =
  | 'free'
  | 'gone'
  | { readonly fate: 'alive'; readonly owner: ProcessIdentity }
  | { readonly fate: 'unknown'; readonly owner: ProcessIdentity | undefined }

function judge(file: string, observer: ProcessIdentity): Judgement {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    // Given back or replaced between the look at the folder and this one.
    if (hasCode(error, 'ENOENT')) return 'gone'
    throw error
  }
  const owner = parseIdentity(text)
  if (owner === undefined) return { fate: 'unknown', owner }
  const fate = fateOf(owner, observer)
  return fate === 'dead' ? 'free' : { fate, owner }
}

function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const identity = JSON.parse(text) as Partial<ProcessIdentity>
    return typeof identity.pid === 'number' && typeof identity.startedAt === 'string'
      ? { host: '', boot: '', namespace: '', ...identity, pid: identity.pid, startedAt: identity.startedAt }
      : undefined
  } catch {
    return undefined
  }
}

function held(folder: string, mine: number): DirectoryLock {
  for (const { name, number } of entries(folder)) if (number < mine) rmSync(join(folder, name), { force: true })
  const file = join(folder, String(mine))
  let isHeld = true
  return {
    release: () => {
      if (isHeld && existsSync(file)) renameSync(file, `${file}.free`)
      isHeld = false
    },
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
