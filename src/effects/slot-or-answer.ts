import type { LazyAbort } from '../abort.ts'
import { type Clock, callAfter } from '../clock.ts'
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
  const taking = slots.take(deadline)
  let before = 0
  for (let milliseconds = briefWaitMilliseconds; ; milliseconds *= 2) {
    const leave = await within(taking, clock, milliseconds)
    if (leave !== 'late') return leave && { leave }
    const { ahead, passed } = line()
    if (ahead >= passed - before) break
    before = passed
  }
  try {
    const answer = await ask()
    if (answer === undefined) {
      const leave = await taking
      return leave && { leave }
    }
    giveBack(taking)
    return { answer }
  } catch (error) {
    giveBack(taking)
    throw error
  }
}

/** Every delivery that finds no free place passes here: one timer and one promise for each, and no more. */
function within<Value>(promise: Promise<Value>, clock: Clock, milliseconds: number): Promise<Value | 'late'> {
  return new Promise((resolve) => {
    const cancel = callAfter(clock, milliseconds, () => resolve('late'))
    void promise.then((value) => {
      cancel()
      resolve(value)
    })
  })
}

/** Whoever needs no place any more stays in line, and passes it on when its turn has come. */
function giveBack(taking: Promise<(() => void) | undefined>): void {
  void taking.then((leave) => leave?.())
}
