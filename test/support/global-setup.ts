import type { TestProject } from 'vitest/node'
import { startPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  // Only an interface can be added to.
  interface ProvidedContext {
    databaseUrl: string
  }
}

/** One real PostgreSQL for the whole run, or the one that `DATABASE_URL` names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DATABASE_URL']
  if (given !== undefined && given !== '') {
    project.provide('databaseUrl', given)
    return async () => {}
  }
  const server = await startPostgresServer()
  project.provide('databaseUrl', server.url)
  return server.stop
}
