import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { holdDatabase } from '../../src/store/pglite/database-holder.ts'
import { createPgliteClient } from '../../src/store/pglite/pglite-client.ts'
import { nodeFlags } from '../support/compiled.ts'

export type WriterProcess = {
  readonly pid: number
  /** All that it has printed, in order. */
  readonly lines: readonly string[]
  /** The numbers of the rows that it said are written. */
  readonly acknowledged: () => number[]
  /** Resolves as soon as this is true of the lines, or the process has ended. */
  readonly until: (condition: (lines: readonly string[]) => boolean) => Promise<void>
  /** SIGKILL, then waits until it is gone and everything it printed has been read. */
  readonly kill: () => Promise<void>
}

/** Starts `writer-child` from where it was compiled to. With a platter, a power cut can be played afterwards. */
export function startWriter({
  compiled,
  kind = 'syncing',
  directory,
  first = 1,
  checkpointEvery = 0,
  platter,
}: {
  readonly compiled: string
  readonly kind?: 'syncing' | 'plain'
  readonly directory: string
  readonly first?: number
  readonly checkpointEvery?: number
  readonly platter?: string
}): WriterProcess {
  const preload = platter === undefined ? [] : ['--import', join(compiled, 'platter.js')]
  const writer = [join(compiled, 'writer-child.js'), kind, directory, String(first), String(checkpointEvery)]
  const child = spawn(process.execPath, [...nodeFlags, ...preload, ...writer], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PLATTER: platter, PLATTER_OF: join(directory, 'database') },
  })
  return watch(child)
}

function watch(child: ChildProcess): WriterProcess {
  const lines: string[] = []
  let onChange = () => {}
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      hasEnded = true
      onChange()
      resolve()
    })
  })
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      onChange()
    })
  }
  return {
    pid: child.pid ?? 0,
    lines,
    acknowledged: () => lines.filter((line) => /^\d+$/.test(line)).map(Number),
    until: (condition) =>
      new Promise((resolve) => {
        onChange = () => {
          if (hasEnded || condition(lines)) resolve()
        }
        onChange()
      }),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The rows that are there when the directory is opened anew, and the store's own check of its indexes. */
export async function readWritten(directory: string): Promise<Set<number>> {
  const client = createPgliteClient(holdDatabase({ kind: 'directory', directory }))
  try {
    await client.database().exec('create table if not exists written (number integer primary key, filler text)')
    const byTable = await client.query<{ number: number }>('select number from written order by filler, number')
    // Read through the index as well: a page that was lost shows as a difference.
    await client.database().exec('set enable_seqscan = off')
    const byIndex = await client.query<{ number: number }>(
      'select number from written where number > 0 order by number',
    )
    if (byTable.length !== byIndex.length) throw new Error(`table has ${byTable.length} rows, index ${byIndex.length}`)
    return new Set(byTable.map(({ number }) => number))
  } finally {
    await client.close()
  }
}
