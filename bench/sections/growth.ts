import { join } from 'node:path'
import { startContestant } from '../child.ts'
import { type BenchDatabase, checkpoint, createDatabase } from '../databases.ts'
import { fillAged, fillLedger, knowEvents } from '../ledger.ts'
import { measureServer } from '../measure-server.ts'
import { measureWorker } from '../measure-worker.ts'
import { processorTimePer, readProcessorTime } from '../processor-time.ts'
import { letUpkeepCount, startPruning } from '../pruning.ts'
import { type RequestFile, writeRequestFile } from '../request-file.ts'
import { interleave, requestMetrics, type Section, type SectionContext } from '../section.ts'
import { oncehookQueued } from '../servers.ts'
import type { Stage } from '../stage.ts'
import { oncehookBatch } from '../workers.ts'

const connections = 64
/** More than a server remembers in a storm: what is measured is the ledger. */
const knownEvents = 120_000
const ledgers = ['empty', 'full'] as const
type Ledger = (typeof ledgers)[number]

/** Whether a ledger that has grown for years is slower than a new one. */
export const growth: Section = {
  name: 'growth',
  title: 'Growth: Oncehook on a new ledger and on one that is full',
  metrics: requestMetrics,
  contenders: [
    { key: 'empty', title: 'empty ledger' },
    { key: 'full', title: 'full ledger' },
  ],
  baseline: 'empty',
  async run(context) {
    const { stage, settings, say } = context
    const full = await createLedger(stage)
    try {
      await fillLedger(full, settings.ledgerRows, say)
      await knowEvents(full, spreadSerials(settings.ledgerRows))
      await letUpkeepCount(stage, full, say)
      await interleave(settings, ledgers, (ledger, round) => measureLedger(context, ledger, round, full))
    } finally {
      await full.drop()
    }
  },
}

/** Accepting, duplicates, claiming and pruning on one of the ledgers. The empty one is a new one each time. */
async function measureLedger(
  { stage, settings, say, record }: SectionContext,
  ledger: Ledger,
  round: number,
  full: BenchDatabase,
): Promise<void> {
  const size = `${settings.ledgerRows.toLocaleString('en')} receipts`
  const onLedger = async (
    what: string,
    run: (database: BenchDatabase) => Promise<Readonly<Record<string, number>>>,
  ) => {
    say(`${what}, ${ledger}, round ${round}`)
    const database = ledger === 'full' ? full : await createLedger(stage)
    try {
      const values = await run(database)
      record({ scene: `${what}, ${size}`, contender: ledger, round, values })
      await emptyAllButTheLedger(database)
    } finally {
      if (ledger === 'empty') await database.drop()
    }
  }

  const count = settings.requestsPerSecond * (settings.warmUpSeconds + settings.loadSeconds)
  await onLedger('accept', (database) => {
    // The serial numbers of the last round are in the full ledger already.
    const first = 600_000_000 + round * count
    const file = writeRequestFile({ path: join(stage.folder, 'growth.bin'), count, serialAt: (index) => first + index })
    return measureServer(stage, settings, { contender: oncehookQueued, connections, file, database })
  })
  await onLedger('duplicate', async (database) => {
    const serials = spreadSerials(settings.ledgerRows)
    if (ledger === 'empty') await knowEvents(database, serials)
    const file = duplicatesFile(stage, serials)
    const run = { contender: oncehookQueued, connections, file, database, isAllDuplicates: true }
    const values = await measureServer(stage, settings, run)
    await checkAllWereDuplicates(database)
    return values
  })
  await onLedger('claim', (database) => measureWorker(stage, settings, { contender: oncehookBatch, database }))
  await onLedger('prune', async (database) => {
    if (ledger === 'empty') {
      const rows = Math.floor(settings.ledgerRows / 365)
      await fillAged(database, { first: 0, rows, fromDays: 366, toDays: 365 }, say)
      await letUpkeepCount(stage, database, say)
    }
    return measurePruning(stage, database, 365 - round)
  })
}

/** The full ledger is a year long: with a day less in every round, a day of it is past its time. */
async function measurePruning(
  stage: Stage,
  database: BenchDatabase,
  keepDays: number,
): Promise<Readonly<Record<string, number>>> {
  await checkpoint(stage.postgres)
  const pruning = await startPruning(stage, database, keepDays)
  const readTime = () => readProcessorTime([pruning.processId], stage.postgres.processId())
  const before = readTime()
  const { receipts, milliseconds } = await pruning.report()
  const time = processorTimePer(receipts, before, readTime())
  await pruning.stop()
  return { perSecond: receipts / (milliseconds / 1000), ...time }
}

async function createLedger(stage: Stage): Promise<BenchDatabase> {
  const database = await createDatabase(stage.postgres)
  // Starting a receiver is what makes the tables.
  const environment = { ...stage.environment, DATABASE_URL: database.url }
  const server = startContestant({ file: oncehookQueued.file, node: stage.nodes.server, environment })
  await server.hear('listening')
  await server.stop()
  return database
}

/** Events from all over the ledger, but for the oldest, which are pruned. */
function spreadSerials(ledgerRows: number): readonly number[] {
  const first = Math.floor(ledgerRows / 10)
  const rows = ledgerRows - first
  const known = Math.min(knownEvents, rows)
  return Array.from({ length: known }, (_, index) => first + Math.floor(((index + 0.5) / known) * rows))
}

/** In an order that jumps about in the ledger. */
function duplicatesFile(stage: Stage, serials: readonly number[]): RequestFile {
  const jump = 7919
  const serialAt = (index: number): number => serials[(index * jump) % serials.length] ?? 0
  return writeRequestFile({ path: join(stage.folder, 'known.bin'), count: serials.length, serialAt })
}

/** Not for events of the same id with another body. */
async function checkAllWereDuplicates(database: BenchDatabase): Promise<void> {
  const others = await database.number(`select count(*) from oncehook.deliveries where kind <> 'duplicate'`)
  if (others > 0) throw new Error(`${others} of the duplicates were taken for something else.`)
}

async function emptyAllButTheLedger(database: BenchDatabase): Promise<void> {
  await database.query('truncate oncehook.queue, oncehook.bodies, oncehook.deliveries, oncehook.attempts, effects')
}
