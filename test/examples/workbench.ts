import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { freePort } from '../support/child-servers.ts'
import { runCommand } from './run-command.ts'

/** What became of one step of one project. */
export type Step = {
  readonly name: string
  readonly step: string
  readonly isPassed: boolean
  readonly output: string
  readonly seconds: number
}

/** Where projects are installed and run. */
export type Bench = {
  readonly folder: string
  /** The packed Oncehook. */
  readonly tarball: string
  readonly serverUrl: string
  readonly note: (step: Step) => void
}

/** One command of a project. */
export type Command = {
  readonly step: string
  readonly words: readonly string[]
  /** Default 0. */
  readonly code?: number
}

export const install: Command = {
  step: 'install',
  words: ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'],
}

/** Runs commands one after the other, as far as the first that does not end as it has to. True if all did. */
export async function runCommands(
  bench: Bench,
  project: { readonly name: string; readonly folder: string },
  commands: readonly Command[],
): Promise<boolean> {
  const { name, folder } = project
  const environment = await environmentIn(bench.serverUrl, folder)
  for (const { step, words, code = 0 } of commands) {
    const ended = await runCommand(words, { folder, environment, limitSeconds: 900 })
    const isPassed = ended.code === code
    bench.note({ name, step, isPassed, output: ended.output, seconds: ended.seconds })
    if (!isPassed) return false
  }
  return true
}

/** A database of its own, and ports that are free. */
export async function environmentIn(serverUrl: string, folder: string): Promise<Readonly<Record<string, string>>> {
  const [port, appPort] = [await freePort(), await freePort()]
  return {
    DATABASE_URL: await createDatabase(serverUrl),
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${appPort}`,
    APP_DATABASE: `${folder}/payments.db`,
    // "prisma generate" looks for it and does not use it.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  }
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `example_${randomBytes(8).toString('hex')}`
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
