import { describe, expect } from 'vitest'
import type { HandlerContext, WebhookEvent } from '../../src/index.ts'
import type { PgTransaction } from '../../src/store/postgres/postgres-store.ts'
import { stripeDelivery, test } from '../support/inbox.ts'
import { until } from '../support/until.ts'

type Misuse = {
  readonly name: string
  readonly explanation: RegExp
  readonly handler: (schema: string) => (event: WebhookEvent, context: HandlerContext<PgTransaction>) => unknown
}

const write = (schema: string) => `insert into "${schema}".app_effects (event_id) values ($1)`

const misuses: readonly Misuse[] = [
  {
    name: 'swallows a failed statement',
    explanation: /ONCEHOOK|failed|swallow/i,
    handler:
      (schema) =>
      async (event, { tx }) => {
        await tx.query(write(schema), [event.id])
        await tx.query('select 1 / 0').catch(() => undefined)
      },
  },
  {
    name: 'commits by itself',
    explanation: /commit/i,
    handler:
      (schema) =>
      async (event, { tx }) => {
        await tx.query(write(schema), [event.id])
        await tx.query('commit')
      },
  },
  {
    name: 'commits by itself inside several statements',
    explanation: /commit/i,
    handler:
      (schema) =>
      async (event, { tx }) => {
        await tx.query(write(schema), [event.id])
        await tx.query('select 1; /* done */ COMMIT')
      },
  },
  {
    name: 'rolls back by itself and carries on',
    explanation: /rollback/i,
    handler:
      (schema) =>
      async (event, { tx }) => {
        await tx.query('rollback').catch(() => undefined)
        await tx.query(write(schema), [event.id])
        throw new Error('a rollback of its own')
      },
  },
  {
    name: 'never settles',
    explanation: /did not settle within 0\.3 s/,
    handler:
      (schema) =>
      async (event, { tx }) => {
        await tx.query(write(schema), [event.id])
        await new Promise(() => {})
      },
  },
  {
    name: 'hangs in a statement',
    explanation: /did not settle within 0\.3 s/,
    handler:
      (schema) =>
      async (event, { tx }) => {
        await tx.query(write(schema), [event.id])
        await tx.query('select pg_sleep(600)')
      },
  },
  {
    name: 'returns while a statement is still running',
    explanation: /await/i,
    handler:
      (schema) =>
      (event, { tx }) => {
        void tx.query(write(schema), [event.id])
      },
  },
]

describe.each(['inline', 'queued'] as const)('a handler that misuses its transaction, %s', (mode) => {
  test.for(misuses)(
    'and $name is detected, rolled back and explained',
    async (misuse, { database, makeInbox, guarantees }) => {
      const { query, schema } = database
      const inbox = makeInbox({ mode, timeoutSeconds: 0.3, retry: { maxAttempts: 1 } })
      inbox.on('stripe', '*', misuse.handler(schema), { name: 'misuser' })

      const outcome = await inbox.receive('stripe', stripeDelivery('evt_misuse'))
      await inbox.drain()

      expect(outcome.kind).toBe(mode === 'inline' ? 'failed' : 'accepted')
      expect(await guarantees.effects()).toBe(0)
      const attempts = await query<{ outcome: string; error: string }>(
        `select outcome, error from "${schema}".attempts`,
      )
      expect(attempts).toHaveLength(1)
      expect(attempts[0]).toMatchObject({ outcome: 'failed', error: expect.stringMatching(misuse.explanation) })
      const receipts = await guarantees.receipts()
      expect(receipts).toEqual(mode === 'inline' ? [] : [{ event_id: 'evt_misuse', status: 'failed', attempts: 1 }])
      // Nothing of it lingers: no session is left inside a transaction.
      await until(
        () =>
          query(
            `select pid from pg_stat_activity where state like 'idle in transaction%' and query like '%${schema}%'`,
          ),
        (sessions) => sessions.length === 0,
      )
    },
  )

  test('and writes after it returned cannot write into the transaction of another event', async ({
    database,
    makeInbox,
    guarantees,
  }) => {
    const { schema } = database
    const late: Promise<unknown>[] = []
    let release = (): void => {}
    const secondIsRunning = new Promise<void>((resolve) => (release = resolve))
    const inbox = makeInbox({ mode, poolSize: 3 })
    inbox.on('stripe', 'first', (event, { tx }) => {
      late.push(secondIsRunning.then(() => tx.query(write(schema), [`${event.id}_late`])))
    })
    inbox.on('stripe', 'second', async (event, { tx }) => {
      await tx.query(write(schema), [event.id])
      release()
      await Promise.allSettled(late)
    })

    await inbox.receive('stripe', stripeDelivery('evt_first', 'first'))
    await inbox.drain()
    await inbox.receive('stripe', stripeDelivery('evt_second', 'second'))
    await inbox.drain()

    expect((await Promise.allSettled(late))[0]).toMatchObject({
      status: 'rejected',
      reason: { code: 'ONCEHOOK_TRANSACTION_CLOSED' },
    })
    expect(await database.query(`select event_id from "${schema}".app_effects`)).toEqual([{ event_id: 'evt_second' }])
    expect(await guarantees.receipts()).toMatchObject([{ status: 'processed' }, { status: 'processed' }])
  })

  test('and asks for its first effect after it returned is refused it', async ({ database, makeInbox, guarantees }) => {
    let kept: HandlerContext<PgTransaction> | undefined
    const inbox = makeInbox({ mode })
    inbox.on('stripe', '*', (_event, context) => {
      kept = context
    })
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    const late = kept?.once('late', () => 'applied')

    await expect(late).rejects.toMatchObject({ code: 'ONCEHOOK_TRANSACTION_CLOSED' })
    expect(await database.query(`select key from "${database.schema}".effects`)).toEqual([])
    expect(await guarantees.receipts()).toMatchObject([{ status: 'processed' }])
  })

  test('and prints its event prints no payload, and neither event nor context has a getter of its own', async ({
    makeInbox,
  }) => {
    let printed = ''
    const getters: string[] = []
    const inbox = makeInbox({ mode })
    inbox.on('stripe', '*', (event, context) => {
      printed = JSON.stringify(event)
      for (const given of [event, context]) {
        const own = Object.entries(Object.getOwnPropertyDescriptors(given))
        getters.push(...own.filter(([, member]) => member.get !== undefined).map(([name]) => name))
      }
    })

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    expect(JSON.parse(printed)).toMatchObject({ id: 'evt_1', source: 'stripe' })
    expect(printed).not.toContain('payload')
    // Each of them would keep the whole event in memory for many collections of garbage.
    expect(getters).toEqual([])
  })

  test('and asks the pool for a second connection does not bring the app to a halt', async ({
    database,
    makeInbox,
    guarantees,
  }) => {
    const { schema, pool } = database
    const inbox = makeInbox({ mode, poolSize: 5, worker: { concurrency: 5 } })
    inbox.on('stripe', '*', async (event, { tx }) => {
      await tx.query(write(schema), [event.id])
      await pool.query('select 1')
    })

    await Promise.all(Array.from({ length: 20 }, (_, index) => inbox.receive('stripe', stripeDelivery(`evt_${index}`))))
    await inbox.drain()

    expect(await guarantees.effects()).toBe(20)
  })
})
