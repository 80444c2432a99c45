import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from 'pg'
import { describe, expect } from 'vitest'
import type { TestDatabase } from '../support/database.ts'
import { stripeDelivery, type TestInbox, test } from '../support/inbox.ts'

/** A webhook receiver as these checks see it: it is told an event, and answers or fails. */
type Receiver = {
  readonly receive: (eventId: string) => Promise<'acknowledged' | 'refused'>
  /** The process dies in the middle of the next event's work. */
  readonly crashNext: () => void
  /** Everything it does by itself after its answers. */
  readonly settle: () => Promise<void>
}

/** What is checked is the same for all: how often events took effect. */
const checks = {
  'fifty copies at once take effect once': async (receiver: Receiver, effects: () => Promise<number>) => {
    await Promise.all(Array.from({ length: 50 }, () => receiver.receive('evt_copies')))
    await receiver.settle()
    return (await effects()) === 1
  },
  'an event whose work crashed takes effect after its redelivery': async (
    receiver: Receiver,
    effects: () => Promise<number>,
  ) => {
    receiver.crashNext()
    // The provider sends it again only if it was not acknowledged.
    const first = await receiver.receive('evt_crash').catch(() => 'refused' as const)
    if (first === 'refused') await receiver.receive('evt_crash')
    await receiver.settle()
    return (await effects()) === 1
  },
} as const

type CheckName = keyof typeof checks

/** "Have I seen it?" and "now I have" are two statements, and fifty copies fit in between. */
function selectThenInsert(pool: Pool, schema: string): Receiver {
  return naive(
    async (eventId, work) => {
      const seen = await pool.query(`select 1 from "${schema}".processed_events where event_id = $1`, [eventId])
      if (seen.rows.length > 0) return
      await work()
      await pool.query(`insert into "${schema}".processed_events (event_id) values ($1)`, [eventId])
    },
    pool,
    schema,
  )
}

/** The claim is committed before the work, so a crash leaves an event that counts as seen and was never done. */
function claimInAnotherTransaction(pool: Pool, schema: string): Receiver {
  return naive(
    async (eventId, work) => {
      const claimed = await pool.query(
        `insert into "${schema}".claimed_events (event_id) values ($1) on conflict do nothing returning event_id`,
        [eventId],
      )
      if (claimed.rows.length === 1) await work()
    },
    pool,
    schema,
  )
}

/** The provider is told that all is well before anything is durable. */
function answerBeforeWork(pool: Pool, schema: string): Receiver {
  const running: Promise<unknown>[] = []
  const inner = claimInAnotherTransaction(pool, schema)
  return {
    ...inner,
    async receive(eventId) {
      running.push(
        nextTurn()
          .then(() => inner.receive(eventId))
          .catch(() => undefined),
      )
      return 'acknowledged'
    },
    settle: async () => void (await Promise.all(running)),
  }
}

function naive(
  handle: (eventId: string, work: () => Promise<void>) => Promise<void>,
  pool: Pool,
  schema: string,
): Receiver {
  let isDoomed = false
  return {
    async receive(eventId) {
      await handle(eventId, async () => {
        if (isDoomed) {
          isDoomed = false
          throw new Error('the process died here')
        }
        await pool.query(`insert into "${schema}".app_effects (event_id) values ($1)`, [eventId])
      })
      return 'acknowledged'
    },
    crashNext: () => void (isDoomed = true),
    settle: async () => {},
  }
}

function oncehook(inbox: TestInbox, schema: string): Receiver {
  let isDoomed = false
  inbox.on('stripe', '*', async (event, { tx }) => {
    await tx.query(`insert into "${schema}".app_effects (event_id) values ($1)`, [event.id])
    if (!isDoomed) return
    isDoomed = false
    throw new Error('the process died here')
  })
  return {
    async receive(eventId) {
      const { kind } = await inbox.receive('stripe', stripeDelivery(eventId))
      return kind === 'failed' || kind === 'unavailable' ? 'refused' : 'acknowledged'
    },
    crashNext: () => void (isDoomed = true),
    async settle() {
      for (let round = 0; round < 3; round += 1) await inbox.drain()
    },
  }
}

async function createNaiveTables({ query, schema }: TestDatabase): Promise<void> {
  await query(`create table "${schema}".processed_events (event_id text)`)
  await query(`create table "${schema}".claimed_events (event_id text primary key)`)
}

const naiveReceivers = [
  { name: 'select, then insert', make: selectThenInsert, fails: 'fifty copies at once take effect once' },
  {
    name: 'claim in another transaction',
    make: claimInAnotherTransaction,
    fails: 'an event whose work crashed takes effect after its redelivery',
  },
  {
    name: 'answer before the work',
    make: answerBeforeWork,
    fails: 'an event whose work crashed takes effect after its redelivery',
  },
] as const satisfies readonly { name: string; make: unknown; fails: CheckName }[]

describe('the checks that naive handlers fail', () => {
  test.for(naiveReceivers)('"$name" fails: $fails', async ({ make, fails }, { database, guarantees }) => {
    await createNaiveTables(database)

    const holds = await checks[fails](make(database.pool, database.schema), guarantees.effects)

    expect(holds).toBe(false)
  })

  test.for(
    (['inline', 'queued'] as const).flatMap((mode) =>
      (Object.keys(checks) as CheckName[]).map((name) => ({ mode, name })),
    ),
  )('Oncehook, $mode, passes: $name', async ({ mode, name }, { database, makeInbox, guarantees }) => {
    const inbox = makeInbox({ mode })
    await inbox.migrate()

    const holds = await checks[name](oncehook(inbox, database.schema), guarantees.effects)

    expect(holds).toBe(true)
  })
})
