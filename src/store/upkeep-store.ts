/** Upkeep's tasks as one process at a time does them. */
export type UpkeepStore = {
  /**
   * Takes the task that has been due for longest, and makes tasks known that nobody has asked for before. Of any number of processes that
   * ask at once only one gets a task, and nobody else does until its lease has run out. The fence grows with every claim.
   */
  readonly claim: (request: UpkeepClaimRequest) => Promise<UpkeepClaim>
  /** Extends leases that are still held; answers with the fences of those. */
  readonly renewLeases: (leases: readonly UpkeepLease[], leaseSeconds: number) => Promise<readonly string[]>
  /** Lets the task go until it is due again. False if the lease was lost: then nothing changed. */
  readonly finish: (lease: UpkeepLease, ending: UpkeepEnding) => Promise<boolean>
}

export type UpkeepClaimRequest = {
  readonly tasks: readonly KnownTask[]
  readonly worker: string
  readonly leaseSeconds: number
  /** Takes it although it is not due, unless another process is at it. */
  readonly isDueNow?: boolean
}

export type KnownTask = {
  /** Undefined for a task that is done for all environments together. */
  readonly environment: string | undefined
  readonly name: string
  /** When it is due for the first time. */
  readonly firstInSeconds: number
}

/** A claim's proof. A higher fence for the same task makes this one worthless. Fences are never used twice. */
export type UpkeepLease = {
  readonly environment: string | undefined
  readonly task: string
  readonly fence: string
}

export type UpkeepClaim =
  | { readonly kind: 'claimed'; readonly lease: UpkeepLease }
  /** Nothing is due, or another process is at it: ask again after so long. */
  | { readonly kind: 'nothing_due'; readonly millisecondsUntilDue: number }

export type UpkeepEnding = {
  readonly outcome: 'done' | 'unfinished' | 'failed' | 'stopped'
  /** What was done, or what went wrong. */
  readonly detail: string | undefined
  readonly nextInSeconds: number
}
