import type { DeadlineReading, MeterReading, StoredSecretUse } from '../receipt/meters.ts'

/** What the meters keep. Its size is that of the configuration, not of the traffic. */
export type MeterStore = {
  /** Adds to what is kept. A list of secrets that changed begins anew. */
  readonly add: (readings: readonly MeterReading[]) => Promise<void>
  readonly read: (
    environment: string,
    days: number,
  ) => Promise<{
    readonly deadlines: readonly (DeadlineReading & { readonly source: string })[]
    readonly secrets: readonly StoredSecretUse[]
    /** By the database's clock. */
    readonly now: Date
  }>
}
