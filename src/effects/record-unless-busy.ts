import type { Clock } from '../clock.ts'
import type { GroupCommit } from '../receipt/group-commit.ts'
import type { NewReceipt, Recorded } from '../receipt/receipt.ts'
import { createDeadline, createPauses } from './running-events.ts'

/** Records one receipt. Still `busy` when the time is up. */
export type RecordUnlessBusy = (receipt: NewReceipt, giveUpAt: number) => Promise<Recorded>

export type RecordUnlessBusyParts = {
  readonly record: GroupCommit['record']
  readonly clock: Clock
  readonly random: () => number
}

/** A signed body that another transaction is recording is asked about again until that one has ended: only then is it known who is first. */
export function createRecordUnlessBusy({ record, clock, random }: RecordUnlessBusyParts): RecordUnlessBusy {
  return async function recordUnlessBusy(receipt, giveUpAt) {
    const first = await recordOne(receipt)
    if (first.kind !== 'busy') return first
    const { signal, cancel } = createDeadline(clock, giveUpAt - clock.now().getTime())
    const pause = createPauses(clock, random)
    try {
      while (!signal.aborted) {
        await pause(signal)
        const again = await recordOne(receipt)
        if (again.kind !== 'busy') return again
      }
      return first
    } finally {
      cancel()
    }
  }

  async function recordOne(receipt: NewReceipt): Promise<Recorded> {
    const [recorded] = await record([receipt])
    if (recorded === undefined) throw new Error('The store answered for fewer receipts than it was given.')
    return recorded
  }
}
