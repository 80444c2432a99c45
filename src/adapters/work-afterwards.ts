import type { Door } from '../delivery/door.ts'
import { invalidOptions } from '../errors.ts'

/** Keeps a process running until the work is done, or the platform's limit is reached: `waitUntil` of Vercel, `after` of Next.js. */
export type WaitUntil = (work: Promise<unknown>) => unknown

/** For platforms that stop a process, or freeze it, when it has answered. */
export type AfterwardsOptions = {
  /** With it, what a delivery has queued is worked off as soon as that is answered, and so are messages of the outbox. */
  readonly waitUntil?: WaitUntil | undefined
  /** How long after an answer more is begun. Less than the platform's limit, by the time that a handler may take. Default 20. */
  readonly workSeconds?: number | undefined
}

/** One for each inbox, so that a burst of deliveries is worked off by one call and not by one each. */
const workers = new WeakMap<object, () => Promise<void>>()

/** The same door; whatever was received through it is worked off after it was answered. */
export function workAfterwards(door: Door, { waitUntil, workSeconds = 20 }: AfterwardsOptions): Door {
  if (waitUntil === undefined) return door
  const { afterwards, onError } = door
  if (afterwards === undefined || !(workSeconds > 0)) throw invalidOptions('A handler', [mistakeIn(workSeconds)])
  const workOff =
    workers.get(afterwards) ?? createWorker(() => afterwards.drain({ untilMs: workSeconds * 1000 }), onError)
  workers.set(afterwards, workOff)
  return {
    ...door,
    async receive(source, delivery) {
      const outcome = await door.receive(source, delivery)
      if (afterwards.isWorkLeft(outcome)) {
        const work = workOff()
        try {
          waitUntil(work)
        } catch (error) {
          // It is recorded by now, so that the sender has to be told so, whoever works it off.
          onError?.(error)
        }
      }
      return outcome
    },
  }
}

/** What comes while it works may have come too late for its last look, so it looks once more. */
function createWorker(drain: () => Promise<unknown>, onError: Door['onError']): () => Promise<void> {
  let running: Promise<void> | undefined
  let isAsked = false
  return () => {
    isAsked = true
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }

  async function work(): Promise<void> {
    while (isAsked) {
      isAsked = false
      // The platform would call it a failure of the request, which is answered. What is due stays due.
      await drain().catch((error: unknown) => onError?.(error))
    }
  }
}

function mistakeIn(workSeconds: number): string {
  return workSeconds > 0
    ? 'waitUntil needs an inbox that can work off its queue.'
    : `workSeconds is ${workSeconds}: give a number above 0.`
}
