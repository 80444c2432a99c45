import type { DrainReport, Receipt } from '../index.ts'
import type { ThrowAwayDatabase } from './database/throw-away-database.ts'
import { notSettled } from './kit-errors.ts'
import type { Life } from './life.ts'
import type { ManualClock } from './manual-clock.ts'

type Settling = {
  readonly inbox: {
    readonly drain: (options: { readonly limit: number }) => Promise<DrainReport>
    readonly receipts: { readonly find: (filter: { readonly isPending: true }) => Promise<readonly Receipt[]> }
  }
  readonly life: Life
  readonly database: ThrowAwayDatabase
  readonly clock: ManualClock
}

/** More rounds than any retries need; a handler that defers its event for ever needs more than any. */
const mostRounds = 2000

/** Works off what is due, moves the clock to what is due next, and so on until nothing is. Ends where the process does. */
export async function settle(settling: Settling): Promise<DrainReport> {
  const { inbox, life, database, clock } = settling
  let total: DrainReport | undefined
  for (let round = 0; round < mostRounds; round += 1) {
    const report = await Promise.race([inbox.drain({ limit: Number.MAX_SAFE_INTEGER }), life.end.then(() => undefined)])
    if (report === undefined) return total ?? nothing
    total = total === undefined ? report : added(total, report)
    const { due, nextAt } = await database.pending()
    const isIdle = Object.values(report).every((count) => count === 0)
    if (due > 0 && !isIdle) continue
    if (nextAt === undefined && due === 0) return total
    if (nextAt === undefined) throw await stuck(settling)
    await clock.advanceTo(nextAt)
  }
  throw notSettled(
    `after ${mostRounds} rounds there is still work. Does a handler defer its event again and again?`,
    [],
  )
}

const nothing: DrainReport = {
  processed: 0,
  retrying: 0,
  deferred: 0,
  dead: 0,
  lease_lost: 0,
  handed_back: 0,
  published: 0,
  unpublished: 0,
}

function added(one: DrainReport, other: DrainReport): DrainReport {
  const sums = Object.entries(one).map(([name, count]) => [name, count + (other[name as keyof DrainReport] ?? 0)])
  return Object.fromEntries(sums) as DrainReport
}

async function stuck({ inbox }: Settling): Promise<Error> {
  const receipts = await inbox.receipts.find({ isPending: true })
  const pending = receipts.map(
    ({ source, eventId, type, status }) => `${source} event ${eventId} (${type}) is ${status}`,
  )
  return notSettled(
    'something is due that nobody takes. Is there a handler for it, or for a message of the outbox its target?',
    pending,
  )
}
