import type { Gauges, PendingGauge } from '../receipt/gauges.ts'
import type { ReadName } from './metric-list.ts'
import type { Series } from './registry.ts'

/** What was read from the database, as series. Nothing but `storeUp` if it did not answer. */
export type Readings = Readonly<Partial<Record<ReadName, readonly Series[]>>>

/** Asks the database once, and not for longer than this: whoever asks has a deadline too. */
export async function read(gauges: () => Promise<Gauges>, timeoutSeconds: number): Promise<Readings> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutSeconds * 1000)
  })
  try {
    return readingsOf(await Promise.race([gauges(), late]))
  } catch {
    return readingsOf(undefined)
  } finally {
    clearTimeout(timer)
  }
}

function readingsOf(found: Gauges | undefined): Readings {
  const storeUp = [{ labels: [], value: found === undefined ? 0 : 1 }]
  if (found === undefined) return { storeUp }
  const { queue, outbox, deadLetters, ledger, yesterday } = found
  return {
    storeUp,
    queueEvents: queue.flatMap((backlog) => statesOf(backlog.source, backlog)),
    queueOldestDue: queue.map(({ source, oldestDueSeconds }) => ({ labels: [source], value: oldestDueSeconds })),
    deadLetters: deadLetters.map(({ source, count }) => ({ labels: [source], value: count })),
    outboxMessages: outbox.flatMap((backlog) => [
      ...statesOf(backlog.target, backlog),
      { labels: [backlog.target, 'failed'], value: backlog.failed },
    ]),
    outboxOldestDue: outbox.map(({ target, oldestDueSeconds }) => ({ labels: [target], value: oldestDueSeconds })),
    ledgerRows: [{ labels: [], value: ledger.rows }],
    ledgerAddedYesterday: yesterday.map(({ source, added }) => ({ labels: [source], value: added })),
    ledgerPrunedYesterday: yesterday.map(({ source, pruned }) => ({ labels: [source], value: pruned })),
    ledgerRowsInserted: [{ labels: [], value: ledger.rowsInserted }],
    ledgerRowsDeleted: [{ labels: [], value: ledger.rowsDeleted }],
  }
}

function statesOf(name: string, backlog: PendingGauge): readonly Series[] {
  return (['waiting', 'retrying', 'running'] as const).map((state) => ({
    labels: [name, state],
    value: backlog[state],
  }))
}
