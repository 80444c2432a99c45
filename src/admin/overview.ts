import type { AdminInbox } from './admin-inbox.ts'

/** Asks all parts at once. However many look, the database is asked once a second. */
export function createOverview(inbox: AdminInbox): () => Promise<Overview> {
  let known: { readonly at: number; readonly answer: Promise<Overview> } | undefined
  return () => {
    if (known === undefined || performance.now() - known.at > 1000) {
      const answer = readOverview(inbox)
      const asked = { at: performance.now(), answer }
      known = asked
      answer.catch(() => {
        if (known === asked) known = undefined
      })
    }
    return known.answer
  }
}

type Backlog = {
  readonly waiting: number
  readonly retrying: number
  readonly failed: number
  readonly oldestSeconds: number
}

/** As `GET /overview` answers. */
export type Overview = {
  readonly numbers: {
    readonly firstAttemptErrorRate: number | null
    readonly duplicateRate: number | null
    readonly duplicateBaseline: number | null
    readonly ledgerRows: number
    readonly ledgerDelta: number
  }
  readonly windowSeconds: number
  readonly queue: Backlog
  readonly outbox: Backlog
  readonly durability: { readonly tier: string; readonly summary: string; readonly warnings: readonly string[] }
  readonly alerts: number
  readonly sources: number
}

async function readOverview(inbox: AdminInbox): Promise<Overview> {
  const [rates, gauges, durability, alerts] = await Promise.all([
    inbox.admin.rates(),
    inbox.gauges(),
    inbox.durability(),
    inbox.alerts.find({ isOpen: true, limit: 1000 }),
  ])
  const pruned = sumOf(gauges.yesterday, (day) => day.pruned)
  return {
    numbers: {
      ...ratesOf(rates),
      ledgerRows: rates.ledger.rows,
      ledgerDelta: rates.ledger.addedLastDay - pruned,
    },
    windowSeconds: rates.windowSeconds,
    queue: {
      waiting: sumOf(gauges.queue, ({ waiting, running }) => waiting + running),
      retrying: sumOf(gauges.queue, ({ retrying }) => retrying),
      failed: sumOf(gauges.deadLetters, ({ count }) => count),
      oldestSeconds: Math.max(0, ...gauges.queue.map(({ oldestDueSeconds }) => oldestDueSeconds)),
    },
    outbox: {
      waiting: sumOf(gauges.outbox, ({ waiting, running }) => waiting + running),
      retrying: sumOf(gauges.outbox, ({ retrying }) => retrying),
      failed: sumOf(gauges.outbox, ({ failed }) => failed),
      oldestSeconds: Math.max(0, ...gauges.outbox.map(({ oldestDueSeconds }) => oldestDueSeconds)),
    },
    durability,
    alerts: alerts.length,
    sources: inbox.sources.length,
  }
}

type Rates = Awaited<ReturnType<AdminInbox['admin']['rates']>>

function ratesOf({
  received,
  duplicates,
  firstAttempts,
  firstAttemptsFailed,
  baseline,
}: Rates): Pick<Overview['numbers'], 'firstAttemptErrorRate' | 'duplicateRate' | 'duplicateBaseline'> {
  return {
    firstAttemptErrorRate: rate(firstAttemptsFailed, firstAttempts),
    duplicateRate: rate(duplicates, duplicates + received),
    duplicateBaseline: rate(baseline.duplicates, baseline.deliveries),
  }
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}
