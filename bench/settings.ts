/** How much is measured. */
export type Settings = {
  readonly name: 'quick' | 'full'
  readonly rounds: number
  /** Of servers that stay for all rounds. */
  readonly serverWarmUpSeconds: number
  /** Before each measurement of these: pools close what was idle, and new connections have everything to learn. */
  readonly leadInSeconds: number
  /** Of servers that are started for one measurement. */
  readonly warmUpSeconds: number
  /** A server that has answered fewer requests by then is warmed up again, up to three times. */
  readonly warmUpRequests: number
  readonly loadSeconds: number
  /** Shares of deliveries that came before. */
  readonly duplicateShares: readonly number[]
  /** Connections at the door, and for inline handlers. */
  readonly doorConnections: readonly number[]
  readonly inlineConnections: readonly number[]
  /** Queued events that are measured, and those before them that are not. */
  readonly workerEvents: number
  readonly workerWarmUp: number
  /** Events that are sent one at a time to an idle inbox. */
  readonly singleEvents: number
  /** Events before them that are not measured. */
  readonly singleWarmUp: number
  readonly ledgerRows: number
  /** Receipts that are past their days. */
  readonly pruneRows: number
  /** Receipts that people look at, and how often each kind of call is made in a round. */
  readonly adminRows: number
  readonly adminCalls: number
  /** Bodies of 1 MB that are sent at once. */
  readonly largeBodies: number
  readonly idleSeconds: number
  /** So many requests are prepared for each second of load. More would be sent only by a machine that is far faster than ours. */
  readonly requestsPerSecond: number
}

export const quickSettings: Settings = {
  name: 'quick',
  rounds: 1,
  serverWarmUpSeconds: 1,
  leadInSeconds: 0,
  warmUpSeconds: 1,
  warmUpRequests: 1000,
  loadSeconds: 1,
  duplicateShares: [0, 0.95],
  doorConnections: [64],
  inlineConnections: [64],
  workerEvents: 1000,
  workerWarmUp: 500,
  singleEvents: 20,
  singleWarmUp: 20,
  ledgerRows: 50_000,
  pruneRows: 5_000,
  adminRows: 50_000,
  adminCalls: 20,
  largeBodies: 64,
  idleSeconds: 5,
  requestsPerSecond: 20_000,
}

export const fullSettings: Settings = {
  name: 'full',
  rounds: 5,
  serverWarmUpSeconds: 30,
  leadInSeconds: 3,
  warmUpSeconds: 2,
  warmUpRequests: 6000,
  loadSeconds: 8,
  duplicateShares: [0, 0.5, 0.95],
  doorConnections: [1, 64, 256],
  inlineConnections: [64, 256],
  workerEvents: 8000,
  workerWarmUp: 2000,
  singleEvents: 200,
  singleWarmUp: 2000,
  ledgerRows: 10_000_000,
  pruneRows: 1_000_000,
  adminRows: 1_000_000,
  adminCalls: 100,
  largeBodies: 256,
  idleSeconds: 60,
  requestsPerSecond: 20_000,
}
