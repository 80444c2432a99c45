import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compiledFile, nodeFlags } from '../support/compiled.ts'
import { test as base } from '../support/database.ts'
import { onceInRun } from '../support/once-in-run.ts'

/** How a call of the command line ended. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** A call of the command line that goes on. */
export type Running = {
  /** Resolves with everything on standard output once it matches. */
  readonly until: (pattern: RegExp) => Promise<string>
  readonly kill: (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL') => void
  readonly ended: Promise<Ended>
}

type Environment = Readonly<Record<string, string>>

/** The real command line, in a working directory of the test's own. */
export type CommandLine = {
  readonly directory: string
  readonly run: (words: readonly string[], environment?: Environment) => Promise<Ended>
  /** The one JSON document that a call prints. */
  readonly json: <Document>(words: readonly string[]) => Promise<Document>
  readonly start: (words: readonly string[], environment?: Environment) => Running
}

type Fixtures = {
  readonly program: string
  /** A directory whose embedded store is made already, which takes seconds. */
  readonly template: string
  /** In an empty directory. */
  readonly commandLine: CommandLine
  /** In a directory with an embedded store without receipts. */
  readonly prepared: CommandLine
}

export const test = base.extend<Fixtures>({
  program: [
    async ({}, use) => {
      await use(await compiledFile('src/cli/main.ts'))
    },
    { scope: 'file' },
  ],
  template: [
    async ({ program }, use) => {
      const migrate = (cwd: string): unknown =>
        execFileSync(process.execPath, [...nodeFlags, program, 'migrate'], { cwd, env: clean({}), stdio: 'ignore' })
      await use(await onceInRun('embedded', (folder) => void migrate(folder)))
    },
    { scope: 'file' },
  ],
  commandLine: async ({ program }, use) => {
    await withCommandLine(program, temporaryDirectory(), use)
  },
  prepared: async ({ program, template }, use) => {
    const directory = temporaryDirectory()
    cpSync(template, directory, { recursive: true })
    await withCommandLine(program, directory, use)
  },
})

async function withCommandLine(
  program: string,
  directory: string,
  use: (commandLine: CommandLine) => Promise<void>,
): Promise<void> {
  const children: Running[] = []
  const start: CommandLine['start'] = (words, environment = {}) => {
    const child = watch(
      spawn(process.execPath, [...nodeFlags, program, ...words], { cwd: directory, env: clean(environment) }),
    )
    children.push(child)
    return child
  }
  const run: CommandLine['run'] = (words, environment) => start(words, environment).ended
  await use({ directory, start, run, json: async (words) => JSON.parse((await run([...words, '--json'])).stdout) })
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  rmSync(directory, { recursive: true, force: true })
}

function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'oncehook-cli-'))
}

/** Nothing of the machine's own settings reaches the program. */
function clean(environment: Environment): Environment {
  return { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TZ: 'UTC', ...environment }
}

function watch(child: ChildProcess): Running {
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    tell()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!pattern.test(stdout)) return
        listeners.delete(look)
        resolve(stdout)
      }
      listeners.add(look)
      look()
      void ended.then(() => reject(new Error(`It ended before it printed ${pattern}:\n${stdout}\n${stderr}`)))
    })
  return { until, ended, kill: (signal) => void child.kill(signal) }
}
