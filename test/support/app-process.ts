import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { RedisCacheCounts } from '../../src/redis/index.ts'
import { forkProgram } from './compiled.ts'

/** How the app of `app.ts` behaves. */
export type AppOptions = {
  readonly databaseUrl: string
  readonly schema: string
  readonly secret: string
  readonly mode: 'inline' | 'queued'
  readonly roles: readonly ('receiver' | 'worker')[]
  /** Where the process kills itself with SIGKILL. */
  readonly killAt?:
    | 'before_record'
    | 'after_record'
    | 'after_claim'
    | 'in_handler'
    | 'before_commit'
    | 'after_commit'
    | 'before_send'
    | 'after_send'
    | 'after_publish'
  /**
   * `payload`: writes the id that the body says. `wait`: after its write, until the test sends a message. `kill`: the process dies at every event of type `poison`.
   * `once`: the write is an effect whose key all events share. `latest`: sets its object's version. `outbox`: also sends a message.
   */
  readonly handler?: 'write' | 'payload' | 'wait' | 'kill' | 'once' | 'latest' | 'outbox'
  readonly types?: string | readonly string[]
  /** Whose deliveries its address takes. Default `stripe`. */
  readonly source?: 'stripe' | 'github'
  /** Of GitHub. */
  readonly replayedBody?: 'flag' | 'duplicate'
  /** The port of a Redis that is put in front. */
  readonly redisPort?: number
  /** Keys in base64. */
  readonly encryption?: { readonly keys: Readonly<Record<string, string>>; readonly current: string }
  readonly leaseSeconds?: number
  readonly maxAttempts?: number
  readonly concurrency?: number
  readonly graceSeconds?: number
}

/** What the app tells the test. */
export type AppReport =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'in_handler'; readonly eventId: string }
  | { readonly kind: 'effect'; readonly applied: boolean; readonly result: unknown }
  | { readonly kind: 'cache'; readonly counts: RedisCacheCounts }
  | { readonly kind: 'handled'; readonly eventId: string; readonly outcome: string }

export type AppProcess = {
  /** Where deliveries go. */
  readonly url: string
  readonly child: ChildProcess
  /** Everything it has reported so far. */
  readonly reports: readonly AppReport[]
  /** Resolves with the first report, past or future, that fits. */
  readonly reported: (fits: (report: AppReport) => boolean) => Promise<AppReport>
  /** Lets a handler that waits go on. */
  readonly release: () => void
  /** Resolves with the signal or code that ended it. */
  readonly ended: Promise<string>
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
}

/** Starts the app in a process of its own, and waits until it is ready. */
export async function startApp(options: AppOptions): Promise<AppProcess> {
  const child = await forkProgram('test/support/app.ts', { APP_OPTIONS: JSON.stringify(options) })
  const reports: AppReport[] = []
  child.on('message', (message) => reports.push(message as AppReport))
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code))

  const reported: AppProcess['reported'] = async (fits) => {
    for (;;) {
      const found = reports.find(fits)
      if (found !== undefined) return found
      await Promise.race([
        once(child, 'message'),
        ended.then((how) => Promise.reject(new Error(`The app ended: ${how}`))),
      ])
    }
  }
  const ready = await reported(({ kind }) => kind === 'ready')
  return {
    url: ready.kind === 'ready' ? ready.url : '',
    child,
    reports,
    reported,
    release: () => void child.send('go on'),
    ended,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    },
  }
}
