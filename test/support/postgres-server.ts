import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endWithThisProcess, freePort } from './child-servers.ts'
import { postgresBinaries, serverRunner } from './postgres-binaries.ts'

/** A PostgreSQL of one's own, to be stopped, killed and started again at will. */
export type PostgresServer = {
  readonly url: string
  /** Where its data is. */
  readonly folder: string
  /** The process id of the server as it runs now. */
  readonly processId: () => number
  /** An orderly end; the data is deleted. */
  readonly stop: () => Promise<void>
  /** SIGKILL to the server and all its processes, as if the machine had died. The data stays. */
  readonly kill: () => Promise<void>
  /** Starts it again at the same address with the same data: after `kill`, or by an immediate orderly stop. */
  readonly restart: () => Promise<void>
}

export type PostgresServerOptions = {
  /** Added to the defaults, for example `{ max_connections: '5' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

const defaultSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '64MB',
  lc_messages: 'C',
}

const startDeadlineMilliseconds = 60_000

/** Starts a real PostgreSQL with a new data directory on a free port of this machine. */
export async function startPostgresServer({ settings = {} }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const binaries = await postgresBinaries()
  const folder = await createDataFolder(binaries)
  const allSettings = { ...defaultSettings, ...settings }
  let port = await freePort()
  let server = await launch({ binaries, folder, port, settings: allSettings }).catch(async () => {
    // Another process may have taken the port in between.
    port = await freePort()
    return launch({ binaries, folder, port, settings: allSettings })
  })

  const removeAtExit = (): void => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', removeAtExit)

  async function stopProcess(): Promise<void> {
    if (hasEnded(server)) return
    server.kill('SIGINT')
    await once(server, 'exit')
  }

  async function kill(): Promise<void> {
    if (hasEnded(server)) return
    // The server alone would leave its children behind, which keep the data directory in use.
    const children = await childrenOf(processIdOf(server))
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    for (const child of children) killIfAlive(child)
    await ended
  }

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    folder,
    processId: () => processIdOf(server),
    kill,
    stop: async () => {
      await stopProcess()
      process.removeListener('exit', removeAtExit)
      await rm(folder, { recursive: true, force: true })
    },
    restart: async () => {
      await stopProcess()
      server = await launchPatiently({ binaries, folder, port, settings: allSettings })
    },
  }
}

async function createDataFolder(binaries: string): Promise<string> {
  const runner = serverRunner()
  const folder = await mkdtemp(join(tmpdir(), 'oncehook-postgres-data-'))
  if (runner !== undefined) await chown(folder, runner.uid, runner.gid)
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync']
  try {
    await promisify(execFile)(join(binaries, 'bin', 'initdb'), ['--pgdata', folder, ...options], {
      cwd: folder,
      ...runner,
      env: serverEnvironment(),
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return folder
}

type LaunchOptions = {
  readonly binaries: string
  readonly folder: string
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
}

/** Resolves when the server takes connections. */
async function launch({ binaries, folder, port, settings }: LaunchOptions): Promise<ChildProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(binaries, 'bin', 'postgres'), ['-D', folder, '-p', String(port), ...flags], {
    cwd: folder,
    ...serverRunner(),
    env: serverEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  endWithThisProcess(server, folder)
  let log = ''
  const deadline = setTimeout(() => server.kill('SIGKILL'), startDeadlineMilliseconds)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        log = `${log}${text}`.slice(-10_000)
        if (/ready to accept (?:read-only )?connections/.test(log)) resolve()
      })
    })
  } finally {
    clearTimeout(deadline)
  }
  return server
}

/** After a SIGKILL the old processes may take a moment to be gone; until then the server refuses to start. */
async function launchPatiently(options: LaunchOptions): Promise<ChildProcess> {
  const giveUpAt = Date.now() + startDeadlineMilliseconds
  for (;;) {
    try {
      return await launch(options)
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
    }
  }
}

function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null
}

function processIdOf(server: ChildProcess): number {
  if (server.pid === undefined) throw new Error('PostgreSQL is not running.')
  return server.pid
}

async function childrenOf(parent: number): Promise<readonly number[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
    const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
    return pairs.flatMap(([child, itsParent]) => (itsParent === parent && child !== undefined ? [child] : []))
  }
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const statuses = await Promise.all(processes.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')))
  // The second field is the command in parentheses and may hold anything; the parent is the second after it.
  const parents = statuses.map((status) => Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]))
  return processes.flatMap((id, index) => (parents[index] === parent ? [Number(id)] : []))
}

function killIfAlive(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
