import type { Backlog, HealthReport } from '../../health.ts'
import type { Database } from '../database.ts'
import { type BacklogRow, eventBacklog, messageBacklog } from './backlog.ts'
import { duplicateBaseline } from './duplicate-baseline.ts'
import { ledgerSize } from './ledger-size.ts'
import { recentTraffic } from './recent-traffic.ts'

/** No walk along an index is longer than this. */
const defaultMostRows = 10_000

/** How things stand, by walks of bounded length and by the server's own statistics. */
export async function health(
  database: Database,
  environment: string,
  mostRows: number = defaultMostRows,
): Promise<HealthReport> {
  const traffic = await recentTraffic(database, environment, mostRows)
  const baseline = await duplicateBaseline(database, environment, traffic.windowSeconds)
  const events = await eventBacklog(database, environment, mostRows)
  const messages = await messageBacklog(database, environment, mostRows)
  const names = new Set([...traffic.sources, ...baseline].map(({ source }) => source))
  for (const { name } of events) names.add(name)
  return {
    environment,
    windowSeconds: traffic.windowSeconds,
    countedUpTo: mostRows,
    sources: [...names].toSorted().map((source) => {
      const { deliveries = 0, duplicates = 0 } = baseline.find((row) => row.source === source) ?? {}
      return {
        ...noTraffic,
        ...traffic.sources.find((row) => row.source === source),
        source,
        baseline: { deliveries, duplicates },
        ...backlogOf(events.find(({ name }) => name === source)),
      }
    }),
    targets: messages
      .map((row) => ({ target: row.name, ...backlogOf(row) }))
      .toSorted((one, other) => (one.target < other.target ? -1 : 1)),
    ledger: await ledgerSize(database, mostRows),
  }
}

const noTraffic = { received: 0, duplicates: 0, firstAttempts: 0, firstAttemptsFailed: 0 } as const

function backlogOf(row: BacklogRow | undefined): Backlog {
  const { waiting = 0, running = 0, due = 0, oldestDueSeconds, deadLetters = 0 } = row ?? {}
  return { waiting, running, due, oldestDueSeconds: oldestDueSeconds ?? undefined, deadLetters }
}
