/** Which handlers may run in groups without a savepoint for each event: those of which none has failed lately. */
export type GroupTrust = {
  readonly isTrusted: (handler: string) => boolean
  /** A group has failed: the next ones are run with care. */
  readonly lose: (handler: string) => void
  /** A group was run with care, and all of it was well. */
  readonly regain: (handler: string) => void
}

/** One failure in so many groups costs less than the savepoints that would be needed to undo it alone. */
const groupsWithCare = 50

export function createGroupTrust(): GroupTrust {
  const careful = new Map<string, number>()
  return {
    isTrusted: (handler) => !careful.has(handler),
    lose: (handler) => void careful.set(handler, groupsWithCare),
    regain(handler) {
      const left = (careful.get(handler) ?? 1) - 1
      if (left > 0) careful.set(handler, left)
      else careful.delete(handler)
    },
  }
}
