import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { OncehookError } from '../errors.ts'
import type { OpenedRun, RecoveryStore, RunRequest } from '../store/recovery-store.ts'

/** How long a run stays with a process that gives no sign of life. */
const holdSeconds = 15

export type RunParts = {
  readonly store: Pick<RecoveryStore, 'openRun' | 'renewRun' | 'releaseRun' | 'finishRun'>
  readonly clock: Clock
  /** For whoever finds the run held: which process it is. */
  readonly worker: string
}

export type RunWish = {
  readonly wish: Pick<RunRequest, 'environment' | 'source' | 'kind' | 'plan'>
  readonly signal: AbortSignal | undefined
}

type Open = Extract<OpenedRun, { kind: 'open' }>

/** Begins a run, or goes on where an interrupted one stopped. It is finished when the work resolves, and free for others when it rejects. */
export async function withRun<Result>(
  parts: RunParts,
  wish: RunWish,
  work: (opened: Open) => Promise<Result>,
): Promise<Result> {
  const { store } = parts
  return keepingAlive(async () => {
    const opened = await holdRun(parts, wish)
    // A step may wait for long, for example until a provider's limit allows the next request. Whether it is still ours, the step finds out.
    const signs = setInterval(() => void store.renewRun(opened.run).catch(() => {}), (holdSeconds * 1000) / 3)
    try {
      const result = await work(opened)
      await store.finishRun(opened.run)
      return result
    } catch (error) {
      // If that fails too, the hold ends by itself.
      await store.releaseRun(opened.run).catch(() => {})
      throw error
    } finally {
      clearInterval(signs)
    }
  })
}

/** Our own timers let the process end; one that does something long at somebody's wish must not. */
export async function keepingAlive<Result>(work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => {}, 2 ** 30)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** A run whose process has died is free once its time is over; one whose process works on it is left alone. */
async function holdRun({ store, clock, worker }: RunParts, { wish, signal }: RunWish): Promise<Open> {
  const request = { ...wish, holder: `${worker} ${randomUUID()}`, holdSeconds }
  const opened = await store.openRun(request)
  if (opened.kind === 'open') return opened
  await clock.wait(opened.milliseconds + 50, signal)
  signal?.throwIfAborted()
  const again = await store.openRun(request)
  if (again.kind === 'open') return again
  throw new OncehookError(
    'ONCEHOOK_RUN_HELD',
    `Run ${again.runId} of source ${wish.source} is worked on by ${again.holder.split(' ')[0]}. Let it finish, or stop that process; ` +
      'whoever calls it next goes on where it stopped.',
  )
}
