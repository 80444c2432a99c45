import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { OncehookError } from '../errors.ts'

/** The server that is judged, started and ended by the prover. */
export type ServerUnderTest = {
  /** Starts it and waits until it takes connections. */
  readonly start: () => Promise<void>
  /** SIGKILL for the whole group of processes. */
  readonly kill: () => Promise<void>
  /** SIGTERM for the whole group; SIGKILL if that does not end it in time. */
  readonly terminate: () => Promise<'ended' | 'killed'>
  /** The last that it printed. */
  readonly output: () => string
}

export type ServerOptions = {
  readonly command: string
  readonly url: string
  readonly startSeconds: number
}

const graceSeconds = 10

export function createServerUnderTest({ command, url, startSeconds }: ServerOptions): ServerUnderTest {
  const { hostname, port, protocol } = new URL(url)
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
  let child: ChildProcess | undefined
  let output = ''

  async function end(signal: 'SIGKILL' | 'SIGTERM', patienceSeconds: number): Promise<'ended' | 'killed'> {
    const running = child
    if (running === undefined) return 'ended'
    const gone = hasEnded(running) ? Promise.resolve() : once(running, 'exit').then(() => undefined)
    signalGroup(running, signal)
    const patience = new AbortController()
    const isGone = await Promise.race([
      gone.then(() => true),
      pause(patienceSeconds * 1000, false, { signal: patience.signal }),
    ])
    patience.abort()
    // Whatever is left of the group, and the socket with it, goes now.
    signalGroup(running, 'SIGKILL')
    await gone
    await until(async () => !(await isListening(address)), 10)
    child = undefined
    return isGone ? 'ended' : 'killed'
  }

  return {
    output: () => output,
    async start() {
      if (await isListening(address)) throw portTaken(address.port)
      const started = spawn('sh', ['-c', command], {
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, PORT: String(address.port) },
      })
      child = started
      endWithThisProcess(started)
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output = `${output}${text}`.slice(-4_000)
        })
      }
      const isReady = await until(async () => hasEnded(started) || (await isListening(address)), startSeconds)
      if (isReady && !hasEnded(started)) return
      await end('SIGKILL', 1)
      throw didNotStart(isReady ? 'it ended at once' : `nothing listens after ${startSeconds} s`, output)
    },
    kill: async () => void (await end('SIGKILL', graceSeconds)),
    terminate: () => end('SIGTERM', graceSeconds),
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function signalGroup(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // Nobody of the group is left.
  }
}

/** If this process dies without a word, its end of the pipe closes, and the server ends with it. */
function endWithThisProcess(server: ChildProcess): void {
  const watch = spawn('sh', ['-c', 'cat > /dev/null; kill -9 -- "-$1"', 'sh', String(server.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  server.once('exit', () => watch.kill('SIGKILL'))
}

type Address = { readonly host: string; readonly port: number }

function isListening(address: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const settle = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
    socket.setTimeout(1_000, () => settle(false))
  })
}

async function until(ask: () => Promise<boolean>, patienceSeconds: number): Promise<boolean> {
  const endsAt = performance.now() + patienceSeconds * 1000
  for (;;) {
    if (await ask()) return true
    if (performance.now() > endsAt) return false
    await pause(15)
  }
}

function portTaken(port: number): OncehookError {
  return new OncehookError(
    'ONCEHOOK_PROVER_CANNOT_RUN',
    `Something listens on port ${port} already. With --start the prover runs the server itself: stop the other one first.`,
  )
}

function didNotStart(how: string, output: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_PROVER_CANNOT_RUN',
    `The server of --start did not start: ${how}. It has to listen where the address says (also given as PORT).` +
      (output === '' ? '' : ` It printed: ${output.trim().slice(-500)}`),
  )
}
