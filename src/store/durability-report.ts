/** What the database survives, as it is set up. */
export type DurabilityReport = {
  /** See docs/durability: T1 process death, T1+ and T2 also power loss, T3 also loss of the machine. A minus is less than that. */
  readonly tier: 'T1' | 'T1+' | 'T2-' | 'T2' | 'T3'
  readonly summary: string
  readonly facts: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}
