/** What the meters of an inbox show. */
export type Meters = {
  /** For each source whose provider's deadline is known. */
  readonly deadlines: readonly DeadlineMeter[]
  /** For each source with secrets of its own; not where they are looked up for each delivery. */
  readonly secrets: readonly SecretMeter[]
}

/** How the answers to authentic deliveries stand against the provider's deadline. Each event of a batch counts. */
export type DeadlineMeter = {
  readonly source: string
  readonly deadlineSeconds: number
  /** How many days back it looks, today included. */
  readonly days: number
  readonly deliveries: number
  /** How many of them were answered after half, after 80 % and after all of the deadline. */
  readonly pastHalf: number
  readonly pastMost: number
  readonly pastAll: number
  readonly slowestSeconds: number
  /** Deliveries that the provider sends again because the answer came too late, at least once each. 0 if it does not send again. */
  readonly retriesCaused: number
}

/** Which of a source's secrets verify its deliveries. */
export type SecretMeter = { readonly source: string; readonly secrets: readonly SecretUse[] }

/** How much one secret is still in use. */
export type SecretUse = {
  /** In the list of secrets; 1 is the first. */
  readonly position: number
  /** Verified by it since the list is as it is. */
  readonly deliveries: number
  readonly lastSeenAt: Date | undefined
  /** Since when the list is as it is; undefined if no delivery has come since. */
  readonly since: Date | undefined
  /** Deliveries that others verified since this one was last seen. */
  readonly othersSince: number
  /** `quiet`: it has verified nothing for days while others did, so it can be taken out. `unknown`: too little has come to say. */
  readonly verdict: 'in_use' | 'quiet' | 'unknown'
}

/** What came in since the last time, for one source. */
export type MeterReading = {
  readonly environment: string
  readonly source: string
  /** Of the list of secrets; undefined where they are looked up. */
  readonly mark: string | undefined
  /** Deliveries by the secret that verified them. */
  readonly bySecret: readonly number[]
  /** Undefined where the deadline is not known. */
  readonly deadline: DeadlineReading | undefined
}

export type DeadlineReading = {
  readonly deliveries: number
  readonly pastHalf: number
  readonly pastMost: number
  readonly pastAll: number
  readonly slowestMilliseconds: number
}

/** A stored row about one secret. */
export type StoredSecretUse = Omit<SecretUse, 'verdict'> & { readonly source: string; readonly mark: string }

/** A provider that was told of a new secret may go on with the old one for a day. */
const quietDays = 3
const quietDeliveries = 20

/** What can be said of a secret at this time. The last one left is never quiet: without it nothing would be verified. */
export function verdictOf(use: Omit<SecretUse, 'verdict'>, count: number, now: Date): SecretUse['verdict'] {
  const { lastSeenAt, since, othersSince } = use
  const from = lastSeenAt ?? since
  const isLong = from !== undefined && now.getTime() - from.getTime() >= quietDays * 86_400_000
  if (count > 1 && isLong && othersSince >= quietDeliveries) return 'quiet'
  return lastSeenAt === undefined ? 'unknown' : 'in_use'
}
