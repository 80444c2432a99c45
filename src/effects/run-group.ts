import type { Beside, RunPlace, StoreTransaction } from '../store/store.ts'

/** Which handlers may run beside each other in one transaction: those that do nothing but send their statements and wait for the answers. */
export type GroupPace = {
  readonly isBrief: (handler: string) => boolean
  /** A group has run, and all of its runs were brief, or not. */
  readonly note: (handler: string, wasBrief: boolean) => void
}

/** What was not brief after all has cost its whole group, so that the next ones are looked at for longer. */
const groupsInTurn = 50

export function createGroupPace(): GroupPace {
  /** How many groups of a handler are still to be run one event after another. */
  const toRun = new Map<string, number>()
  return {
    isBrief: (handler) => toRun.get(handler) === 0,
    note(handler, wasBrief) {
      const left = toRun.get(handler) ?? 1
      if (wasBrief) toRun.set(handler, Math.max(0, left - 1))
      else if (left === 0) toRun.set(handler, groupsInTurn)
    },
  }
}

export type GroupRun<Tx, Member, Result> = {
  readonly handler: string
  readonly pace: GroupPace
  readonly run: (place: RunPlace<Tx>, member: Member) => Promise<Result>
}

/**
 * Runs the members of a group in one transaction, of which nothing is left if one of them fails. One after another, so that no more handlers
 * run at once than the worker may; but where all that they do is wait for the database, they wait together, and their statements are one
 * message. Answers in the order given.
 */
export async function runGroup<Tx, Member, Result>(
  transaction: StoreTransaction<Tx>,
  members: readonly Member[],
  { handler, pace, run }: GroupRun<Tx, Member, Result>,
): Promise<readonly Result[]> {
  const { beside } = transaction
  const sides: Beside<Tx>[] = []
  const runOne = (member: Member): Promise<Result> => {
    if (beside === undefined) return run({ run: transaction.runTogether, effects: transaction.effects }, member)
    const side = beside()
    sides.push(side)
    return run(side, member)
  }
  try {
    if (beside !== undefined && pace.isBrief(handler)) return await allOf(members.map(runOne))
    const results: Result[] = []
    for (const member of members) results.push(await runOne(member))
    return results
  } finally {
    if (beside !== undefined)
      pace.note(
        handler,
        sides.every((side) => side.wasBrief()),
      )
  }
}

/** Waits for all of them even if one has failed: whoever comes next must not run while another is still under way. */
async function allOf<Result>(running: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(running)
  return Promise.all(running)
}
