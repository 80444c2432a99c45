import { afterEach, describe, expect, inject, test } from 'vitest'
import { createInbox, type Inbox } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { drizzleStore } from '../../src/store/postgres/drizzle-store.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { handler } from '../../src/targets/handler.ts'
import {
  concurrently,
  crashAfter,
  deliveries,
  deliveriesOf,
  manualClock,
  outOfOrder,
  type SourcesOf,
  type TestInbox,
  type TestInboxOptions,
  testInbox,
  testKeys,
} from '../../src/testing/index.ts'
import { usePgliteQuickly } from '../support/quick-pglite.ts'

await usePgliteQuickly()

type Sources = { readonly stripe: typeof stripe }
type Options = Partial<TestInboxOptions<PgTransaction, Sources>>

const open: { readonly close: () => Promise<void> }[] = []

afterEach(async () => {
  for (const { close } of open.splice(0)) await close()
})

async function openInbox(options: Options): Promise<TestInbox<PgTransaction, SourcesOf<Sources>>> {
  const inbox = await testInbox({ sources: { stripe }, clock: manualClock('2026-01-01'), ...options })
  open.push(inbox)
  // No unique key: it would hide a double.
  await inbox.query('create table paid (invoice text, event text, at timestamptz)')
  return inbox
}

/** As an app registers them. */
function registerHandlers(inbox: Inbox<PgTransaction, SourcesOf<Sources>>): void {
  inbox.on('stripe', 'invoice.paid', async (event, { tx, once, outbox }) => {
    await tx.query('insert into paid values ($1, $2, now())', [event.objectId, event.id])
    await once(`receipt:${event.objectId}`, () => outbox.add('email', { invoice: event.objectId }))
  })
}

const url = inject('databaseUrl')

describe('a test inbox on PostgreSQL', () => {
  test('takes one of twenty copies that come at once', async () => {
    const inbox = await openInbox({ url, handlers: registerHandlers, targets: { email: handler(() => {}) } })
    const paid = deliveries.stripe('invoice.paid', { id: 'in_1' })

    const answers = await concurrently(20, () => inbox.deliver(paid.again()))

    expect(answers.map(({ kind }) => kind).toSorted()).toEqual([...Array<string>(19).fill('duplicate'), 'processed'])
    expect(await inbox.rows('paid')).toEqual([{ invoice: 'in_1', event: paid.id, at: new Date('2026-01-01') }])
    expect(await inbox.effects()).toMatchObject([{ key: 'receipt:in_1' }])
    expect(await inbox.outbox()).toMatchObject([{ target: 'email', message: { invoice: 'in_1' }, status: 'pending' }])
  })

  test('settles with retries and messages, and the time that they take', async () => {
    const sent: unknown[] = []
    const email = handler((message) => void sent.push(message))
    const inbox = await openInbox({ url, mode: 'queued', handlers: registerHandlers, targets: { email } })
    let failures = 2
    inbox.on('stripe', 'invoice.*', () => {
      failures -= 1
      if (failures >= 0) throw new Error('not yet')
    })
    const answer = await inbox.deliver(deliveries.stripe('invoice.paid', { id: 'in_1' }))

    const report = await inbox.settle()

    expect(answer).toMatchObject({ kind: 'accepted', status: 202 })
    expect(report).toMatchObject({ retrying: 2, processed: 1, published: 1 })
    expect(inbox.clock.now()).toEqual(new Date('2026-01-01T00:00:30Z'))
    expect(await inbox.rows('paid')).toHaveLength(1)
    expect(sent).toEqual([{ invoice: 'in_1' }])
  })

  test.each(['handler', 'commit'] as const)('goes on after a crash at %s, inline', async (point) => {
    const inbox = await openInbox({ url, handlers: registerHandlers, targets: { email: handler(() => {}) } })
    const paid = deliveries.stripe('invoice.paid', { id: 'in_1' })

    const [answer] = await crashAfter(inbox, point, () => concurrently(3, () => inbox.deliver(paid)))
    const rowsAfterCrash = await inbox.rows('paid')
    const again = await inbox.deliver(paid.again())

    expect(answer).toMatchObject({ kind: 'no_answer', status: undefined })
    expect(rowsAfterCrash).toHaveLength(point === 'commit' ? 1 : 0)
    expect(again.kind).toBe(point === 'commit' ? 'duplicate' : 'processed')
    expect(await inbox.rows('paid')).toHaveLength(1)
    expect(await inbox.outbox()).toHaveLength(1)
  })

  test.each(['record', 'claim', 'handler', 'commit', 'send'] as const)(
    'goes on after a crash at %s, queued',
    async (point) => {
      const sent: string[] = []
      const email = handler((_message, { idempotencyKey }) => void sent.push(idempotencyKey))
      const inbox = await openInbox({ url, mode: 'queued', targets: { email } })
      registerHandlers(inbox)
      const paid = deliveries.stripe('invoice.paid', { id: 'in_1' })

      await crashAfter(inbox, point, async () => {
        await inbox.deliver(paid)
        await inbox.settle()
      })
      const again = await inbox.deliver(paid.again())
      await inbox.settle()

      expect(again.kind).toBe('duplicate')
      expect(await inbox.rows('paid')).toHaveLength(1)
      expect(await inbox.receipts.find()).toMatchObject([{ status: 'processed' }])
      // At least once, and always with the same key.
      expect(sent).toHaveLength(point === 'send' ? 2 : 1)
      expect(new Set(sent).size).toBe(1)
    },
  )
})

describe('a test inbox in memory', () => {
  test('does the same, and answers handlers as pg would', async () => {
    const sent: unknown[] = []
    const email = handler((message) => void sent.push(message))
    const inbox = await openInbox({ handlers: registerHandlers, targets: { email } })
    let updated: unknown
    inbox.on(
      'stripe',
      'invoice.voided',
      async (_event, { tx }) => {
        updated = (await tx.query({ text: 'update paid set at = $1', values: [null] })).rowCount
        throw new Error('not yet')
      },
      { mode: 'queued', maxAttempts: 2 },
    )
    const paid = deliveries.stripe('invoice.paid', { id: 'in_1' })

    const cut = await crashAfter(inbox, 'handler', () => inbox.deliver(paid))
    const answers = await concurrently(20, () => inbox.deliver(paid.again()))
    const lost = await crashAfter(inbox, 'commit', () =>
      inbox.deliver(deliveries.stripe('invoice.paid', { id: 'in_2' })),
    )
    await inbox.deliver(deliveries.stripe('invoice.voided'))
    const report = await inbox.settle()

    expect([cut.kind, lost.kind]).toEqual(['no_answer', 'no_answer'])
    expect(answers.filter(({ kind }) => kind === 'duplicate')).toHaveLength(19)
    expect(report).toMatchObject({ retrying: 1, dead: 1, published: 2 })
    expect(updated).toBe(2)
    expect(await inbox.rows('select invoice, at from paid order by invoice')).toEqual([
      { invoice: 'in_1', at: new Date('2026-01-01') },
      { invoice: 'in_2', at: new Date('2026-01-01') },
    ])
    expect(sent).toEqual([{ invoice: 'in_1' }, { invoice: 'in_2' }])
    expect(inbox.clock.now()).toEqual(new Date('2026-01-01T00:00:10Z'))
  })
})

describe('a test inbox', () => {
  test('says so when the point of a crash is not reached', async () => {
    const inbox = await openInbox({ url, handlers: registerHandlers, targets: { email: handler(() => {}) } })

    const crash = crashAfter(inbox, 'claim', () => inbox.deliver(deliveries.stripe('invoice.paid')))

    await expect(crash).rejects.toThrow(/before the point "claim" was passed.*Only workers claim/)
    await expect(crashAfter(inbox, 'lunch' as 'claim', async () => {})).rejects.toThrow(/no point "lunch"/)
  })

  test('says what it waits for when it cannot settle', async () => {
    const inbox = await openInbox({ url, mode: 'queued' })
    inbox.on('stripe', 'invoice.paid', () => {})
    await inbox.deliver(deliveries.stripe('invoice.paid', {}, { id: 'evt_1' }))
    await inbox.query(`update receipts set type = 'invoice.lost'`)

    await expect(inbox.settle()).rejects.toThrow(/nobody takes[\s\S]*evt_1 \(invoice.lost\)/)
  })

  test('keeps to the order of versions, whichever way the events come', async () => {
    const inbox = await openInbox({ url })
    inbox.on('stripe', 'customer.updated', async ({ payload, objectId }, { tx, latest }) => {
      const { version } = payload.data.object as unknown as { readonly version: number }
      await latest(`customer:${objectId}`, version, () => tx.query('insert into paid values ($1)', [String(version)]))
    })
    const updates = [1, 2, 3, 4, 5].map((version) => deliveries.stripe('customer.updated', { id: 'cus_1', version }))

    for (const update of outOfOrder(updates, 'a seed')) await inbox.deliver(update)

    const applied = (await inbox.rows<{ readonly invoice: string }>('paid')).map(({ invoice }) => Number(invoice))
    expect(applied).toEqual(applied.toSorted((one, other) => one - other))
    expect(applied.at(-1)).toBe(5)
  })

  test('refuses signatures of another secret and of another time, and believes its own', async () => {
    const inbox = await openInbox({ url, handlers: registerHandlers, targets: { email: handler(() => {}) } })

    const kinds = [
      await inbox.deliver(deliveries.stripe('invoice.paid', {}, { secret: 'whsec_of_somebody_else' })),
      await inbox.deliver(deliveries.stripe('invoice.paid', {}, { at: new Date('2025-12-31') })),
      await inbox.deliver(deliveries.stripe('invoice.paid').tampered()),
      await inbox.deliver(deliveries.stripe('invoice.paid').withoutSignature()),
      await inbox.deliver(deliveries.stripe('invoice.paid')),
    ].map(({ kind }) => kind)

    expect(kinds).toEqual(['forged', 'forged', 'forged', 'forged', 'processed'])
    expect(await inbox.rows('paid')).toHaveLength(1)
  })

  test('finds the source of a delivery by its provider, and asks if there are several', async () => {
    const own = stripe({ secret: 'whsec_that_the_test_has_chosen' })
    const inbox = await testInbox({ url, sources: { eu: own, us: stripe, github } })
    open.push(inbox)
    inbox.on('eu', '*', () => {}).on('us', '*', () => {})
    inbox.on('github', 'push', () => {})
    const paid = deliveries.stripe('invoice.paid')

    const answers = [
      await inbox.deliver(deliveries.github('push')),
      await inbox.deliver(paid, { source: 'eu' }),
      await inbox.deliver(paid, { source: 'us' }),
      await inbox.deliver(deliveriesOf(own)('invoice.paid', { note: 1 }), { source: 'eu' }),
    ]

    expect(answers.map(({ kind }) => kind)).toEqual(['processed', 'processed', 'processed', 'processed'])
    await expect(inbox.deliver(paid)).rejects.toThrow(/sources eu and us/)
    await expect(inbox.deliver(deliveries.shopify())).rejects.toThrow(/no source of it/)
  })

  test('moves its workers too when they run', async () => {
    const inbox = await openInbox({ url, mode: 'queued' })
    const attempts: Date[] = []
    const done = new Promise<void>((resolve) => {
      inbox.on('stripe', 'invoice.paid', () => {
        attempts.push(inbox.clock.now())
        if (attempts.length === 1) throw new Error('not yet')
        resolve()
      })
    })
    const failed = new Promise<void>((resolve) => {
      inbox.subscribe((event) => void (event.kind === 'handler' && event.outcome === 'retrying' && resolve()))
    })
    await inbox.start()
    await inbox.deliver(deliveries.stripe('invoice.paid'))
    await failed

    await inbox.clock.advance('1 minute')
    await done

    expect(attempts).toEqual([new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:01:00Z')])
  })

  test('takes a store by way of another library', async () => {
    const { drizzle } = await import('drizzle-orm/node-postgres')
    const { sql } = await import('drizzle-orm')
    const inbox = await testInbox({
      url,
      sources: { stripe },
      store: ({ pool, schema }) => drizzleStore(drizzle(pool as never), { schema }),
    })
    open.push(inbox)
    await inbox.query('create table paid (invoice text, at timestamptz)')
    inbox.on('stripe', 'invoice.paid', async ({ objectId }, { tx }) => {
      await tx.execute(sql`insert into paid values (${objectId}, now())`)
    })
    const paid = deliveries.stripe('invoice.paid', { id: 'in_1' })

    await concurrently(5, () => inbox.deliver(paid))

    expect(await inbox.rows('paid')).toEqual([{ invoice: 'in_1', at: inbox.clock.now() }])
  })

  test('leaves nothing behind, also by "await using"', async () => {
    const inbox = await openInbox({ url })
    const other = await testInbox({ url, sources: { stripe } })
    const { schema } = other

    await other[Symbol.asyncDispose]()
    await other.close()
    const places: string[] = []
    const failing = testInbox({
      url,
      sources: { stripe },
      timeoutSeconds: -1,
      store: (place) => {
        places.push(place.schema)
        return postgresStore(url, { schema: place.schema })
      },
    })

    await expect(failing).rejects.toThrow(/timeoutSeconds is -1/)
    expect(places).toHaveLength(1)
    const left = await inbox.query('select from pg_namespace where nspname = any ($1)', [[schema, ...places]])
    expect(left).toEqual([])
  })

  test('names what is wrong with its options', async () => {
    await expect(testInbox({ sources: {} })).rejects.toThrow(/"sources" is empty/)
    await expect(testInbox({ sources: { stripe }, url: '' })).rejects.toThrow(/"url" is empty/)
    await expect(testInbox({ sources: { stripe: 'stripe' as never } })).rejects.toThrow(/sources.stripe is neither/)
  })
})

describe('a delivery', () => {
  test('goes to a route of the app as a Request, with a secret of the environment', async () => {
    const inbox = await openInbox({ url, clock: manualClock() })
    const { secret = '' } = testKeys('stripe')
    const store = postgresStore(url, { schema: inbox.schema })
    open.unshift(store)
    const app = createInbox({ store, sources: { stripe: stripe({ secret }) } })
    const POST = app.handler('stripe')

    const response = await POST(deliveries.stripe('invoice.paid').request('https://shop.example.com/webhooks/stripe'))

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ verdict: 'ignored' })
    expect(await inbox.receipts.find()).toMatchObject([{ status: 'ignored' }])
  })
})
