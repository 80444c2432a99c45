import type { Clock } from '../clock.ts'
import type { GroupCommit } from '../receipt/group-commit.ts'
import type { NewReceipt, Recorded } from '../receipt/receipt.ts'
import { createDeadline, createPauses } from './running-events.ts'

/** Tries again to record a receipt that was `busy`. It still is when the time is up. */
export type RecordAgain = (receipt: NewReceipt, giveUpAt: number) => Promise<Recorded>

export type RecordAgainParts = {
  readonly record: GroupCommit['record']
  readonly clock: Clock
  readonly random: () => number
}

/** A signed body that another transaction is recording is asked about again until that one has ended: only then is it known who is first. */
export function createRecordAgain({ record, clock, random }: RecordAgainParts): RecordAgain {
  return async (receipt, giveUpAt) => {
    const { deadline, cancel } = createDeadline(clock, giveUpAt - clock.now().getTime())
    const pause = createPauses(clock, random)
    try {
      while (!deadline.isAborted) {
        await pause(deadline.signal)
        const again = await record(receipt)
        if (again.kind !== 'busy') return again
      }
      return { kind: 'busy' }
    } finally {
      cancel()
    }
  }
}
