import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { postgresBinaries } from './postgres-binaries.ts'
import { startPostgresServer } from './postgres-server.ts'
import { moveTemporaryFiles } from './scratch-folder.ts'
import { makeSharedShelf, removeSharedShelf } from './shared-shelf.ts'

declare module 'vitest' {
  // Only an interface can be added to.
  interface ProvidedContext {
    databaseUrl: string
    /** For what the files of this run share; see `once-in-run.ts`. */
    runFolder: string
    /** Where its files leave migrated schemas for each other; see `shared-shelf.ts`. */
    shelf: string
  }
}

/** One real PostgreSQL for the whole run, or the one that `DATABASE_URL` names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runFolder = await makeRunFolder()
  process.env['ONCEHOOK_POSTGRES_BINARIES'] = await postgresBinaries()
  const removeTemporaryFiles = moveTemporaryFiles()
  const server = await serverOfRun()
  const shelf = basename(runFolder)
  await makeSharedShelf(server.url, shelf)
  project.provide('runFolder', runFolder)
  project.provide('databaseUrl', server.url)
  project.provide('shelf', shelf)
  return async () => {
    const stopped = server.stop === undefined ? removeSharedShelf(server.url, shelf) : server.stop()
    await Promise.all([stopped, rm(runFolder, { recursive: true, force: true })])
    removeTemporaryFiles()
  }
}

async function serverOfRun(): Promise<{ readonly url: string; readonly stop?: () => Promise<void> }> {
  const given = process.env['DATABASE_URL']
  return given !== undefined && given !== '' ? { url: given } : startPostgresServer()
}

/** Inside node_modules, so that packages are found from there. */
async function makeRunFolder(): Promise<string> {
  const cache = resolve(import.meta.dirname, '../../node_modules/.cache')
  await mkdir(cache, { recursive: true })
  return mkdtemp(join(cache, 'oncehook-run-'))
}
