import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  // Only an interface can be added to.
  interface ProvidedContext {
    databaseUrl: string
    /** For what the files of this run share; see `once-in-run.ts`. */
    runFolder: string
  }
}

/** One real PostgreSQL for the whole run, or the one that `DATABASE_URL` names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runFolder = await makeRunFolder()
  project.provide('runFolder', runFolder)
  const removeFolder = (): Promise<void> => rm(runFolder, { recursive: true, force: true })
  const given = process.env['DATABASE_URL']
  if (given !== undefined && given !== '') {
    project.provide('databaseUrl', given)
    return removeFolder
  }
  const server = await startPostgresServer()
  project.provide('databaseUrl', server.url)
  return async () => {
    await Promise.all([server.stop(), removeFolder()])
  }
}

/** Inside node_modules, so that packages are found from there. */
async function makeRunFolder(): Promise<string> {
  const cache = resolve(import.meta.dirname, '../../node_modules/.cache')
  await mkdir(cache, { recursive: true })
  return mkdtemp(join(cache, 'oncehook-run-'))
}
