import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithThisProcess, freePort } from './child-servers.ts'

/** A server in a process of its own, to be taken down and brought back at will. */
export type ServerProcess = {
  readonly port: number
  /** SIGKILL; its folder stays. */
  readonly kill: () => Promise<void>
  /** Brings it back at the same port, with the same folder. */
  readonly restart: () => Promise<void>
  /** SIGSTOP holds it, SIGCONT lets it go on. */
  readonly signal: (name: 'SIGSTOP' | 'SIGCONT') => void
  /** Ends it and removes its folder. */
  readonly stop: () => Promise<void>
}

export type ServerProgram = {
  readonly program: string
  readonly parameters: (place: { readonly port: string; readonly folder: string }) => readonly string[]
  /** What it prints when it takes connections. */
  readonly readyText: string
}

const startDeadlineMilliseconds = 30_000

/** Starts it on a free port of this machine, with a new folder. */
export async function startServerProcess(server: ServerProgram): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'oncehook-server-'))
  let port = await freePort()
  let child = await launch(server, port, folder).catch(async () => {
    // Another process may have taken the port in between.
    port = await freePort()
    return launch(server, port, folder)
  })
  const removeAtExit = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', removeAtExit)

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  return {
    port,
    kill,
    signal: (name) => void child.kill(name),
    async restart() {
      await kill()
      child = await launch(server, port, folder)
    },
    async stop() {
      await kill()
      process.removeListener('exit', removeAtExit)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function launch(
  { program, parameters, readyText }: ServerProgram,
  port: number,
  folder: string,
): Promise<ChildProcess> {
  const child = spawn(program, parameters({ port: String(port), folder }), { stdio: ['ignore', 'pipe', 'pipe'] })
  endWithThisProcess(child, folder)
  let log = ''
  const deadline = setTimeout(() => child.kill('SIGKILL'), startDeadlineMilliseconds)
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', () => reject(new Error(`${program} did not start:\n${log}`)))
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          log = `${log}${text}`.slice(-10_000)
          if (log.includes(readyText)) resolve()
        })
      }
    })
  } finally {
    clearTimeout(deadline)
  }
  return child
}
