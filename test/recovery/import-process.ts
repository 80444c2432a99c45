import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ImportOptions, ImportReport } from '../../src/index.ts'

export type ImportChildOptions = {
  readonly databaseUrl: string
  readonly schema: string
  readonly options: ImportOptions
}

/** Starts an import in another process and kills it once so many rows are done. Answers with how far it said it was. */
export async function killImport(options: ImportChildOptions, afterRows: number): Promise<number> {
  const child = fork(fileURLToPath(new URL('./import-child.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, IMPORT_OPTIONS: JSON.stringify(options), NODE_OPTIONS: '' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  let rows = 0
  child.on('message', (report: ImportReport) => {
    ;({ rows } = report)
    if (rows >= afterRows) child.kill('SIGKILL')
  })
  const [, signal] = (await ended) as [number | null, NodeJS.Signals | null]
  if (signal !== 'SIGKILL') throw new Error('The import ended before it could be killed.')
  return rows
}
