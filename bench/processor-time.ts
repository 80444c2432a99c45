import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Processor time in microseconds, as /proc counts it (in hundredths of a second). */
export type ProcessorTime = { readonly node: number; readonly postgres: number }

const microsecondsPerTick = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** What Node processes and a PostgreSQL server with all its processes have used so far. */
export function readProcessorTime(nodeIds: readonly number[], postgresId: number): ProcessorTime {
  const all = readProcesses()
  const ofNode = nodeIds.map((id) => all.get(id)?.own ?? 0)
  const server = all.get(postgresId)
  const children = [...all.values()].filter(({ parent }) => parent === postgresId).map(({ own }) => own)
  // Connections that have ended are counted with the server that waited for them.
  return { node: sum(ofNode), postgres: (server?.own ?? 0) + (server?.ofEndedChildren ?? 0) + sum(children) }
}

/** Microseconds per piece of work between two readings. */
export function processorTimePer(pieces: number, before: ProcessorTime, after: ProcessorTime): ProcessorTime {
  return { node: (after.node - before.node) / pieces, postgres: (after.postgres - before.postgres) / pieces }
}

/** The most memory a process ever held, and what it holds now, in megabytes. */
export function readMemory(id: number): { readonly peak: number; readonly now: number } {
  const status = readFileSync(`/proc/${id}/status`, 'utf8')
  const megabytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { peak: megabytes('VmHWM'), now: megabytes('VmRSS') }
}

type ProcessReading = { readonly parent: number; readonly own: number; readonly ofEndedChildren: number }

function readProcesses(): ReadonlyMap<number, ProcessReading> {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return new Map(ids.flatMap((id) => readProcess(id)))
}

function readProcess(id: string): readonly (readonly [number, ProcessReading])[] {
  let status: string
  try {
    status = readFileSync(`/proc/${id}/stat`, 'utf8')
  } catch {
    // It ended in the meantime.
    return []
  }
  // The second field is the command in parentheses and may hold anything. Fields after it: state, parent, …
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  const field = (number: number): number => Number(fields[number - 3])
  return [
    [
      Number(id),
      {
        parent: field(4),
        own: (field(14) + field(15)) * microsecondsPerTick,
        ofEndedChildren: (field(16) + field(17)) * microsecondsPerTick,
      },
    ],
  ]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
