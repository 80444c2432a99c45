import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** What tells one process from every other one, also from a later one that was given the same pid. */
export type ProcessIdentity = {
  readonly pid: number
  /** As the system tells it; only ever compared with another one of the same system. */
  readonly startedAt: string
  readonly host: string
  /** Changes when the machine starts anew. Empty where it cannot be had. */
  readonly boot: string
  /** Which processes this one can see: another container counts its own pids. Empty where there is no such thing. */
  readonly namespace: string
}

/** The identity of this process, to be left where others look. */
export function identifyThisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    startedAt: startOfProcess(process.pid) ?? '',
    host: hostname(),
    boot: readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: readOr('', () => readlinkSync('/proc/self/ns/pid')),
  }
}

/**
 * Whether a process that left its identity still runs. `unknown` if it cannot be seen from here:
 * taking its things away would be a guess, and a wrong one destroys data.
 */
export function fateOf(
  owner: ProcessIdentity,
  observer: ProcessIdentity,
  startOf: (pid: number) => string | undefined = startOfProcess,
): 'alive' | 'dead' | 'unknown' {
  if (owner.boot !== observer.boot || owner.namespace !== observer.namespace) {
    // The same host name with another boot or namespace is a machine or container that was started anew.
    return owner.host === observer.host ? 'dead' : 'unknown'
  }
  if (owner.boot === '' && owner.host !== observer.host) return 'unknown'
  const startedAt = startOf(owner.pid)
  if (startedAt === undefined) return 'dead'
  return startedAt === owner.startedAt || startedAt === '' || owner.startedAt === '' ? 'alive' : 'dead'
}

/** When a process started, in the system's own words; empty if it runs but that cannot be had, undefined if it does not run. */
export function startOfProcess(pid: number): string | undefined {
  if (process.platform === 'linux') return startFromProc(pid)
  if (!isRunning(pid)) return undefined
  if (process.platform === 'win32') return ''
  return readOr('', () => execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim())
}

function startFromProc(pid: number): string | undefined {
  const stat = readOr(undefined, () => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return isRunning(pid) ? '' : undefined
  // The second field is the program's name in brackets and may itself hold brackets and spaces.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie holds nothing any more: it only waits for its parent to look at it.
  return state === 'Z' || state === 'X' ? undefined : fields[18]
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function readOr<Fallback>(fallback: Fallback, read: () => string): string | Fallback {
  try {
    return read()
  } catch {
    return fallback
  }
}
