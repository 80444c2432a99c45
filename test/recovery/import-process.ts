import { once } from 'node:events'
import type { ImportOptions, ImportReport } from '../../src/index.ts'
import { forkProgram } from '../support/compiled.ts'

export type ImportChildOptions = {
  readonly databaseUrl: string
  readonly schema: string
  readonly options: ImportOptions
}

/** Starts an import in another process and kills it once so many rows are done. Answers with how far it said it was. */
export async function killImport(options: ImportChildOptions, afterRows: number): Promise<number> {
  const child = await forkProgram('test/recovery/import-child.ts', { IMPORT_OPTIONS: JSON.stringify(options) })
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
