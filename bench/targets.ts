import { type AdminCallGroup, adminCalls } from './admin-calls.ts'
import { type Figure, type Measurement, medianOf, ratioOf } from './measurements.ts'

/** What was promised, and what came out. */
export type TargetResult = {
  readonly text: string
  /** Undefined where it was not measured. */
  readonly value: number | undefined
  readonly demand: { readonly kind: 'at least' | 'at most'; readonly bound: number }
  readonly isMet: boolean | undefined
}

type Target = {
  readonly text: string
  readonly valueOf: (measurements: readonly Measurement[]) => number | undefined
  readonly demand: TargetResult['demand']
}

const effectScene = 'request to committed effect, idle'

const atLeast = (bound: number): Target['demand'] => ({ kind: 'at least', bound })
const atMost = (bound: number): Target['demand'] => ({ kind: 'at most', bound })

/** Holds every figure against what the project set out to reach. */
export function checkTargets(measurements: readonly Measurement[]): readonly TargetResult[] {
  return targets.map(({ text, valueOf, demand }) => {
    const value = valueOf(measurements)
    return { text, value, demand, isMet: value === undefined ? undefined : fits(value, demand) }
  })
}

function fits(value: number, { kind, bound }: Target['demand']): boolean {
  return kind === 'at least' ? value >= bound : value <= bound
}

/** One figure of Oncehook as a multiple of another contender's in the same scene. */
function ratio(section: string, scene: string | RegExp, metric: string, of: string, to: string): Target['valueOf'] {
  return (measurements) => {
    const name = sceneNamed(measurements, section, scene)
    const figure: Omit<Figure, 'contender'> = { section, scene: name, metric }
    return ratioOf(measurements, { ...figure, contender: of }, { ...figure, contender: to })
  }
}

/** By the beginning of its name, where that holds a size. */
function sceneNamed(measurements: readonly Measurement[], section: string, scene: string | RegExp): string {
  if (typeof scene === 'string') return scene
  return measurements.find((one) => one.section === section && scene.test(one.scene))?.scene ?? ''
}

/** The best peer that treats each event by itself: a batch in one statement is another kind of handler. */
function ratioToBestPeer(of: string): Target['valueOf'] {
  const figureOf = (contender: string): Figure => ({
    section: 'worker',
    scene: 'one process',
    contender,
    metric: 'perSecond',
  })
  return (measurements) => {
    const peers = ['graphile-default', 'graphile-best', 'pg-boss-parallel', 'pg-boss-transactional']
      .concat(['bullmq-everysec', 'bullmq-always'])
      .flatMap((key) => {
        const value = medianOf(measurements, figureOf(key))
        return value === undefined ? [] : [{ key, value }]
      })
    const [best] = peers.toSorted((one, other) => other.value - one.value)
    return best === undefined ? undefined : ratioOf(measurements, figureOf(of), figureOf(best.key))
  }
}

function doorTargets(scene: string): readonly Target[] {
  return [
    {
      text: `accept, ${scene}: of the seed’s handler`,
      valueOf: ratio('door', scene, 'perSecond', 'oncehook', 'seed'),
      demand: atLeast(8),
    },
    {
      text: `accept, ${scene}: of a server that verifies, parses and stores nothing`,
      valueOf: ratio('door', scene, 'perSecond', 'oncehook', 'verify'),
      demand: atLeast(1),
    },
    {
      text: `accept, ${scene}: p99 of the seed’s handler`,
      valueOf: ratio('door', scene, 'p99', 'oncehook', 'seed'),
      demand: atMost(0.25),
    },
  ]
}

const growthTargets: readonly Target[] = ['accept', 'duplicate', 'claim', 'prune'].map((what) => ({
  text: `full ledger, ${what}: of the empty one`,
  valueOf: ratio('growth', new RegExp(`^${what},`), 'perSecond', 'full', 'empty'),
  demand: atLeast(0.9),
}))

const pruneTargets: readonly Target[] = ['some 640 deliveries a second', 'as many as the door takes'].map((scene) => ({
  text: `while pruning, ${scene}: p99 of accepting without`,
  valueOf: ratio('prune', new RegExp(`^${scene},`), 'p99', 'pruning', 'alone'),
  demand: atMost(1.5),
}))

/** The slowest call of each group: what holds for it holds for the others. */
const adminTargets: readonly Target[] = (['list', 'search', 'timeline', 'overview'] as const).map((group) => ({
  text: `admin, ${group}: p95 of the slowest call in ms`,
  valueOf: slowestOf(group),
  demand: atMost(100),
}))

function slowestOf(group: AdminCallGroup): Target['valueOf'] {
  return (all) => {
    const scene = sceneNamed(all, 'admin', / receipts$/)
    const figures = adminCalls
      .filter((call) => call.group === group)
      .flatMap(({ key }) => medianOf(all, { section: 'admin', scene, contender: key, metric: 'p95' }) ?? [])
    return figures.length === 0 ? undefined : Math.max(...figures)
  }
}

const targets: readonly Target[] = [
  ...doorTargets('64 connections'),
  ...doorTargets('256 connections'),
  {
    text: 'inline, 64 connections: of the seed’s handler',
    valueOf: ratio('inline', '64 connections', 'perSecond', 'oncehook', 'seed'),
    demand: atLeast(2),
  },
  {
    text: 'inline with a shared commit, 64 connections: of the seed’s handler',
    valueOf: ratio('inline', '64 connections', 'perSecond', 'oncehook-shared', 'seed'),
    demand: atLeast(3),
  },
  {
    text: 'accept, 1 connection: p50 of a plain insert',
    valueOf: ratio('latency', 'request to answer, 1 connection', 'p50', 'oncehook', 'insert'),
    demand: atMost(1.1),
  },
  {
    text: 'accept to effect when idle: p50 in ms, one process',
    valueOf: (all) => medianOf(all, { section: 'latency', scene: effectScene, contender: 'together', metric: 'p50' }),
    demand: atMost(10),
  },
  {
    text: 'accept to effect when idle: p50 in ms, two processes',
    valueOf: (all) => medianOf(all, { section: 'latency', scene: effectScene, contender: 'apart', metric: 'p50' }),
    demand: atMost(10),
  },
  {
    text: 'worker, a transaction each: of the best peer',
    valueOf: ratioToBestPeer('oncehook-own'),
    demand: atLeast(1.3),
  },
  {
    text: 'worker, commit shared: of the best peer',
    valueOf: ratioToBestPeer('oncehook-shared'),
    demand: atLeast(1.3),
  },
  { text: 'worker, batch: of the best peer', valueOf: ratioToBestPeer('oncehook-batch'), demand: atLeast(4) },
  {
    text: '95 % duplicates: of the throughput without',
    valueOf: ratio('duplicates', '64 connections', 'perSecond', 'duplicates-95', 'duplicates-0'),
    demand: atLeast(1.15),
  },
  {
    text: '95 % duplicates: of the database time without',
    valueOf: ratio('duplicates', '64 connections', 'postgres', 'duplicates-95', 'duplicates-0'),
    demand: atMost(0.5),
  },
  {
    text: '95 % duplicates with memoryCache(): of the throughput without',
    valueOf: ratio('duplicates', '64 connections, memoryCache()', 'perSecond', 'duplicates-95', 'duplicates-0'),
    demand: atLeast(1.15),
  },
  {
    text: '95 % duplicates with memoryCache(): of the database time without',
    valueOf: ratio('duplicates', '64 connections, memoryCache()', 'postgres', 'duplicates-95', 'duplicates-0'),
    demand: atMost(0.5),
  },
  ...growthTargets,
  ...pruneTargets,
  ...adminTargets,
  {
    text: 'idle: transactions',
    valueOf: (all) =>
      medianOf(all, {
        section: 'idle',
        scene: sceneNamed(all, 'idle', / s$/),
        contender: 'oncehook-own',
        metric: 'transactions',
      }),
    demand: atMost(0),
  },
]
