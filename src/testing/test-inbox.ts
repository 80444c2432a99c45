import { invalidOptions } from '../errors.ts'
import { createInbox, type DrainReport, type Inbox, type InboxOptions, type SourceMap, type Store } from '../index.ts'
import type { PgTransaction } from '../store/postgres/postgres-store.ts'
import { type CrashPoint, crashPoints } from './crash-points.ts'
import { pgliteDatabase } from './database/pglite-database.ts'
import { postgresDatabase } from './database/postgres-database.ts'
import {
  effectsStatement,
  messagesStatement,
  type Query,
  rowsStatement,
  type TestPlace,
  type ThrowAwayDatabase,
} from './database/throw-away-database.ts'
import { crashNotReached, workNeverEnds } from './kit-errors.ts'
import { createLife, type Life } from './life.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'
import { mortalStore } from './mortal-store.ts'
import { settle } from './settle.ts'
import { deliverTo, noAnswer, type TestAnswer } from './test-answer.ts'
import type { TestDelivery } from './test-delivery.ts'
import { prepareSources, type SourcesOf, type TestSourceMap } from './test-sources.ts'

/** What an inbox for tests can be told. */
export type TestInboxOptions<Tx, Sources extends TestSourceMap> = Omit<
  InboxOptions<Tx>,
  'store' | 'sources' | 'clock' | 'migrations'
> & {
  /** Providers, or the functions that make them: `{ stripe }`. Those get the keys of tests. */
  readonly sources: Sources
  /** Registers handlers, as the app does. It is called again after a crash, as it would be in a new process. */
  readonly handlers?: (inbox: Inbox<Tx, SourcesOf<Sources>>) => unknown
  /** A PostgreSQL for the schema that is thrown away. Default, and if it is undefined: a database in memory. */
  readonly url?: string | undefined
  /** A store by way of another library, on the place that it is given. It may take a while to open. */
  readonly store?: (place: TestPlace) => Store<Tx> | Promise<Store<Tx>>
  /** Default: one that starts now. */
  readonly clock?: ManualClock
}

/** A message of the outbox, with what it says. */
export type TestMessage = {
  readonly target: string
  readonly key: string
  readonly message: unknown
  readonly status: 'pending' | 'published' | 'failed'
  readonly attempts: number
  readonly receiptId: string
  readonly lastError: string | null
}

/** A key of `once` that was taken, and what was kept for it. */
export type TestEffect = {
  readonly key: string
  readonly result: unknown
  readonly handler: string
  readonly receiptId: string
}

/** An inbox on a store that is thrown away. Everything that an inbox has, and what tests need. */
export type TestInbox<Tx = PgTransaction, Sources extends SourceMap = SourceMap> = Inbox<Tx, Sources> & {
  /** The time of this inbox and of its database. */
  readonly clock: ManualClock
  /** Where its tables are, and the tables that the test makes. */
  readonly schema: string
  /** Sends a delivery as its provider would, through the same door as a request: signed at this moment, for this inbox's secret. */
  readonly deliver: (
    delivery: TestDelivery,
    options?: { readonly source?: keyof Sources & string },
  ) => Promise<TestAnswer>
  /** Works until nothing is left to be done, retries and messages included, and moves the clock to whatever is due later. */
  readonly settle: () => Promise<DrainReport>
  /** Sends a statement to its database. Tables that it creates are thrown away too. */
  readonly query: Query
  /** The rows of a table, or of a statement. */
  readonly rows: Query
  /** The keys of `once` that were taken. */
  readonly effects: () => Promise<readonly TestEffect[]>
  /** The messages of the outbox, with what they say. */
  readonly outbox: () => Promise<readonly TestMessage[]>
  /** Empties every table, also those that the test made. Handlers stay, and the time. */
  readonly reset: () => Promise<void>
  /** Stops it and throws the store away. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
  /** For `crashAfter`. */
  readonly crash: (point: CrashPoint, work: () => Promise<unknown>) => Promise<unknown>
}

/** One inbox, as one process would have it. */
type Process<Tx, Sources extends SourceMap> = { readonly inbox: Inbox<Tx, Sources>; readonly life: Life }

/** An inbox on a throw-away store: in memory, or a schema of the PostgreSQL at `url`. */
export async function testInbox<const Sources extends TestSourceMap, Tx = PgTransaction>(
  options: TestInboxOptions<Tx, Sources>,
): Promise<TestInbox<Tx, SourcesOf<Sources>>> {
  const { sources: given, handlers, url, store: makeStore, clock = manualClock(), ...inboxOptions } = options
  const sources = prepareSources(given)
  const database = await openDatabase(url)
  const { place, query } = database
  const stopMoving = clock.onMove(database.setTime)
  const throwAway = async (): Promise<void> => {
    stopMoving()
    await database.drop()
  }
  const store =
    makeStore === undefined
      ? (database.makeStore() as unknown as Store<Tx>)
      : await orElse(throwAway, async () => makeStore(place))

  const registered: (readonly unknown[])[] = []
  let isStarted = false
  let closing: Promise<void> | undefined
  const begin = (): Process<Tx, SourcesOf<Sources>> => {
    const life = createLife()
    const inbox = createInbox<Tx, SourcesOf<Sources>>({
      // As on PostgreSQL, which it stands in for; and nothing is left to chance.
      mode: 'inline',
      random: () => 0.5,
      logger: silent,
      ...inboxOptions,
      store: mortalStore(store, life),
      sources,
      clock,
      migrations: 'manual',
    })
    handlers?.(inbox)
    for (const parameters of registered) Reflect.apply(inbox.on, inbox, parameters)
    return { inbox, life }
  }
  let current = await orElse(throwAway, async () => {
    await database.setTime(clock.now())
    await store.migrate()
    await database.adoptFunctions()
    return begin()
  })

  const end = async (): Promise<void> => {
    try {
      await current.inbox.close({ graceSeconds: 0 })
    } finally {
      await throwAway()
    }
  }
  const extras = {
    clock,
    schema: place.schema,
    on(...parameters: readonly unknown[]) {
      Reflect.apply(current.inbox.on, current.inbox, parameters)
      registered.push(parameters)
      return facade
    },
    async start() {
      isStarted = true
      await current.inbox.start()
    },
    async stop(options?: { readonly graceSeconds?: number }) {
      isStarted = false
      await current.inbox.stop(options)
    },
    deliver: (delivery: TestDelivery, { source }: { readonly source?: string } = {}) => {
      const { inbox, life } = current
      return Promise.race([deliverTo({ inbox, sources, clock }, delivery, source), life.end.then(() => noAnswer)])
    },
    settle: () => settle({ inbox: current.inbox, life: current.life, database, clock }),
    query,
    rows: (tableOrStatement: string, values?: readonly unknown[]) => query(rowsStatement(tableOrStatement), values),
    effects: async () =>
      (await query<TestEffect>(effectsStatement)).map((row) => ({ ...row, result: parsed(row.result) })),
    outbox: async () =>
      (await query<TestMessage>(messagesStatement)).map((row) => ({ ...row, message: parsed(row.message) })),
    async crash(point: CrashPoint, work: () => Promise<unknown>) {
      checkPoint(point)
      const { life } = current
      const spare = life.endAfter(point)
      const result = await endOf(work(), life).finally(spare)
      if (!life.isOver()) throw crashNotReached(point)
      // The database has to notice before anybody else asks it.
      await Promise.allSettled(life.begun)
      current = begin()
      if (isStarted) await current.inbox.start()
      return result
    },
    async reset() {
      await current.inbox.stop({ graceSeconds: 0 })
      await database.clear()
      current = begin()
      if (isStarted) await current.inbox.start()
    },
    close() {
      closing ??= end()
      return closing
    },
    [Symbol.asyncDispose]: () => extras.close(),
  }
  // Everything else is that of the process that is alive now.
  const facade = new Proxy(extras, {
    get: (_, name) => Reflect.get(name in extras ? extras : current.inbox, name) as unknown,
    has: (_, name) => name in extras || name in current.inbox,
  }) as unknown as TestInbox<Tx, SourcesOf<Sources>>
  return facade
}

/**
 * Ends the process at the named point of the work, and starts a new one on the same store: the inbox goes on as that one. Answers with what
 * the work does, as far as it came: deliveries that were under way have no answer.
 */
export async function crashAfter<Result>(
  inbox: Pick<TestInbox, 'crash'>,
  point: CrashPoint,
  work: () => Promise<Result>,
): Promise<Result> {
  return (await inbox.crash(point, work)) as Result
}

async function openDatabase(url: string | undefined): Promise<ThrowAwayDatabase> {
  if (url === '') throw invalidOptions('The test inbox', ['"url" is empty. Leave it out for a database in memory.'])
  return url === undefined ? pgliteDatabase() : postgresDatabase(url)
}

/** What could not be opened must not be left behind. */
async function orElse<Result>(undo: () => Promise<void>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await undo().catch(() => {})
    throw error
  }
}

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** What waits for the dead waits for ever, and the test would not be told why it takes so long. */
const patienceMilliseconds = 5000

async function endOf(work: Promise<unknown>, life: Life): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = life.end.then(
    () =>
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(workNeverEnds()), patienceMilliseconds)
      }),
  )
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function checkPoint(point: CrashPoint): void {
  if (crashPoints.includes(point)) return
  throw invalidOptions('crashAfter', [
    `There is no point ${JSON.stringify(point)}. There are: ${crashPoints.join(', ')}.`,
  ])
}

/** Results and messages are JSON, unless they are encrypted. */
function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : (text ?? undefined)
  } catch {
    return text
  }
}
