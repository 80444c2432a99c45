import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A contender in a process of its own, which tells what happens in lines of JSON. */
export type Contestant = {
  readonly processId: number
  /** The next message of this kind. Rejects if the process ends, or says nothing for so long. */
  readonly hear: (kind: string, seconds?: number) => Promise<Readonly<Record<string, number>>>
  /** Resolves when it has ended by itself, without an error. */
  readonly ended: () => Promise<void>
  /** Closes its input, by which it ends. */
  readonly stop: () => Promise<void>
}

export type ContestantOptions = {
  /** Its program, seen from this folder. */
  readonly file: string
  readonly node: string
  /** For Node itself. */
  readonly flags?: readonly string[]
  readonly parameters?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const patienceSeconds = 120

/** Starts plain `node` on plain JavaScript: nothing stands between a contender and its figures. */
export function startContestant({
  file,
  node,
  flags = [],
  parameters = [],
  environment,
}: ContestantOptions): Contestant {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(node, [...flags, path, ...parameters], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const inbox: Readonly<Record<string, unknown>>[] = []
  const arrivals = new EventTarget()
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = `${complaints}${text}`.slice(-4000)
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) inbox.push(JSON.parse(line) as Readonly<Record<string, unknown>>)
    arrivals.dispatchEvent(new Event('news'))
  })
  child.once('exit', () => arrivals.dispatchEvent(new Event('news')))

  const problem = (what: string): Error => new Error(`${file} ${parameters.join(' ')}: ${what}\n${complaints}`)

  return {
    processId: child.pid ?? 0,
    async hear(kind, seconds = patienceSeconds) {
      const giveUp = AbortSignal.timeout(seconds * 1000)
      for (;;) {
        const index = inbox.findIndex((message) => message['kind'] === kind)
        if (index >= 0) return inbox.splice(0, index + 1)[index] as Readonly<Record<string, number>>
        if (hasEnded(child)) throw problem(`ended without saying "${kind}".`)
        if (giveUp.aborted) throw problem(`did not say "${kind}" within ${seconds} s.`)
        await Promise.race([once(arrivals, 'news'), once(giveUp, 'abort')])
      }
    },
    async ended() {
      if (!hasEnded(child)) await once(child, 'exit')
      if (child.exitCode !== 0) throw problem(`ended with ${child.exitCode ?? child.signalCode}.`)
    },
    async stop() {
      if (hasEnded(child)) return
      const exit = once(child, 'exit')
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await exit
      clearTimeout(timer)
    },
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
