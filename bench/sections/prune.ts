import { join } from 'node:path'
import { startContestant } from '../child.ts'
import { type BenchDatabase, checkpoint, createDatabase } from '../databases.ts'
import { fillPast, youngRows } from '../ledger.ts'
import { type LoadReport, runLoad } from '../load.ts'
import { processorTimePer, readProcessorTime } from '../processor-time.ts'
import { letUpkeepCount, startPruning } from '../pruning.ts'
import { writeRequestFile } from '../request-file.ts'
import { requestMetrics, type Section, type SectionContext } from '../section.ts'
import { oncehookQueued } from '../servers.ts'

const connections = 64

/** As a provider sends on a usual day, and as many as the door takes. A pause is of one connection, in milliseconds. */
const scenes = [
  { title: 'some 640 deliveries a second', pauseMilliseconds: 100, rowsShare: 1 },
  { title: 'as many as the door takes', pauseMilliseconds: 0, rowsShare: 0.2 },
]
type Scene = (typeof scenes)[number]

const forms = ['alone', 'pruning'] as const
type Form = (typeof forms)[number]

/** Serial numbers of what is sent: apart from those in ledgers. */
let nextSerial = 700_000_000

/**
 * What deliveries feel of pruning. It goes on in every round where it was stopped in the last one, so the rounds are as many as it takes
 * to come to its end.
 */
export const prune: Section = {
  name: 'prune',
  isFullOnly: true,
  title: 'Pruning: deliveries accepted while what is past its days is removed',
  metrics: [
    ...requestMetrics.filter(({ key }) => key === 'p99'),
    ...requestMetrics.filter(({ key }) => key !== 'p99'),
    { key: 'pruned', title: 'pruned/s', digits: 0 },
  ],
  contenders: [
    { key: 'alone', title: 'nothing is pruned' },
    { key: 'pruning', title: 'while pruning' },
  ],
  baseline: 'alone',
  async run(context) {
    for (const scene of scenes) await runScene(context, scene)
  },
}

async function runScene(context: SectionContext, scene: Scene): Promise<void> {
  const { stage, settings, say, record } = context
  const database = await createDatabase(stage.postgres)
  const environment = { ...stage.environment, DATABASE_URL: database.url }
  const server = startContestant({ file: oncehookQueued.file, node: stage.nodes.server, environment })
  try {
    const { port = 0 } = await server.hear('listening')
    const rows = settings.pruneRows * scene.rowsShare
    const name = `${scene.title}, ${rows.toLocaleString('en')} receipts past their days`
    await fillPast(database, rows, say)
    await letUpkeepCount(stage, database, say)
    const door = { ...context, database, scene, port, serverId: server.processId }
    let { sent } = await load(door, settings.warmUpSeconds)

    let isAll = false
    for (let round = 1; !isAll; round += 1) {
      for (const form of round % 2 === 1 ? forms : forms.toReversed()) {
        say(`${scene.title}, ${form === 'pruning' ? 'pruning' : 'nothing pruned'}, round ${round}`)
        await checkpoint(stage.postgres)
        const measured = await measure(door, form)
        sent += measured.sent
        isAll ||= measured.isAll
        // One that was done before its time is over was not felt for the rest of it. There is one at least in the quick form.
        if (!measured.isAll || round === 1) record({ scene: name, contender: form, round, values: measured.values })
      }
    }
    await server.stop()
    await checkRows(database, rows, sent)
  } finally {
    await server.stop()
    await database.drop()
  }
}

type Door = SectionContext & {
  readonly database: BenchDatabase
  readonly scene: Scene
  readonly port: number
  readonly serverId: number
}

type Measured = {
  readonly values: Readonly<Record<string, number>>
  readonly sent: number
  readonly isAll: boolean
}

async function measure(door: Door, form: Form): Promise<Measured> {
  const pruning = form === 'pruning' ? await startPruning(door.stage, door.database) : undefined
  try {
    // Upkeep does not begin with the start of a process.
    const warmUp = await load(door, door.settings.warmUpSeconds)
    const readTime = () => readProcessorTime([door.serverId], door.stage.postgres.processId())
    const before = readTime()
    const report = await load(door, door.settings.loadSeconds)
    const { node, postgres } = processorTimePer(report.requests, before, readTime())
    await pruning?.stop()
    const pruned = await pruning?.report()
    return {
      sent: warmUp.sent + report.sent,
      isAll: pruned?.isAll ?? false,
      values: {
        p99: report.p99Milliseconds,
        perSecond: report.perSecond,
        p50: report.p50Milliseconds,
        node,
        postgres,
        ...(pruned && { pruned: pruned.receipts / (pruned.milliseconds / 1000) }),
      },
    }
  } finally {
    await pruning?.stop()
  }
}

async function load({ stage, settings, port, scene }: Door, seconds: number): Promise<LoadReport> {
  const { pauseMilliseconds } = scene
  const paced = (1000 / pauseMilliseconds) * connections * 2
  const count = seconds * Math.min(settings.requestsPerSecond, paced)
  const first = nextSerial
  nextSerial += count
  const file = writeRequestFile({ path: join(stage.folder, 'prune.bin'), count, serialAt: (index) => first + index })
  return runLoad({ wrk: stage.wrk, port, file, connections, seconds, skip: 0, mayRepeat: false, pauseMilliseconds })
}

/** Everything that was past its days is gone, and nothing else is. */
async function checkRows(database: BenchDatabase, rows: number, sent: number): Promise<void> {
  const [old, young] = [
    await database.number(`select count(*) from oncehook.receipts where received_at < now() - interval '60 days'`),
    await database.number(`select count(*) from oncehook.receipts where received_at >= now() - interval '60 days'`),
  ]
  const accepted = young - youngRows(rows)
  // Each load may end while a request of every connection is under way.
  if (old > 0 || accepted > sent || accepted < sent * 0.9) {
    throw new Error(`${old} receipts are left that are past their days, and ${accepted} of ${sent} that were sent.`)
  }
}
