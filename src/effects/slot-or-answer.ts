import { LazyAbort } from '../abort.ts'
import type { Clock } from '../clock.ts'
import { createDeadline, untilAborted } from './running-events.ts'
import type { Slots } from './slots.ts'

/** Longer than a short line of quick handlers takes, and far less than any provider waits. */
const briefWaitMilliseconds = 250

/**
 * A place to run in, or an answer that makes running needless; undefined if the deadline came first.
 * What is recorded already must not wait in line behind handlers that are slow, so whoever has more ahead than has gone in a while asks whether
 * it is known. Where the line moves on, asking would cost more than waiting. Nobody loses its place by asking.
 */
export async function takeSlotOrAnswer<Answer>({
  slots,
  clock,
  deadline,
  ask,
}: {
  readonly slots: Slots
  readonly clock: Clock
  readonly deadline: LazyAbort
  readonly ask: () => Promise<Answer | undefined>
}): Promise<{ readonly leave: () => void } | { readonly answer: Answer } | undefined> {
  if (slots.hasFree()) {
    const leave = await slots.take(deadline)
    return leave && { leave }
  }
  const line = slots.line()
  const waiting = new LazyAbort(deadline)
  const taking = slots.take(waiting)
  try {
    if (await isSlow()) {
      const answer = await ask()
      if (answer !== undefined) return giveUp({ answer })
    }
    const leave = await taking
    return leave && { leave }
  } catch (error) {
    giveUp(undefined)
    throw error
  } finally {
    waiting.unlink()
  }

  /** False once there is a place, or no time left to wait for one. */
  async function isSlow(): Promise<boolean> {
    let before = 0
    for (let milliseconds = briefWaitMilliseconds; !deadline.isAborted; milliseconds *= 2) {
      const brief = createDeadline(clock, milliseconds)
      const leave = await untilAborted(taking, brief.deadline).finally(brief.cancel)
      if (leave !== undefined || deadline.isAborted) return false
      const { ahead, passed } = line()
      if (ahead >= passed - before) return true
      before = passed
    }
    return false
  }

  /** A place that comes all the same is given back. */
  function giveUp<Result>(result: Result): Result {
    waiting.abort()
    void taking.then((leave) => leave?.())
    return result
  }
}
