/** Resolves with what it is given, together with all others of this turn of the event loop. */
export type InTurn = <Value>(value: Value) => Promise<Value>

/**
 * What is known at once could be answered at once. But to answer one delivery wakes its sender while the next one is being read, and to wake
 * somebody costs the system more than the whole delivery. Answered together, after all that has come was read, a storm of copies takes two
 * thirds of the time.
 */
export function createTurn(): InTurn {
  let waiting: (() => void)[] = []

  return (value) =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(answerAll)
      waiting.push(() => resolve(value))
    })

  function answerAll(): void {
    const answered = waiting
    waiting = []
    for (const answer of answered) answer()
  }
}
