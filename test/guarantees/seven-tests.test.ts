import { describe, expect } from 'vitest'
import type { HandlerContext, WebhookEvent } from '../../src/index.ts'
import type { PgTransaction } from '../../src/store/postgres/postgres-store.ts'
import type { TestDatabase } from '../support/database.ts'
import { stripeDelivery, test } from '../support/inbox.ts'

/** An invoice, its receipt mail and its outbox message: tables without unique keys, so that a double is seen and not refused. */
async function createBillingTables({ query, schema }: TestDatabase): Promise<void> {
  await query(
    `create table "${schema}".invoices (id text primary key, status text not null, version int not null default 0)`,
  )
  await query(`create table "${schema}".transitions (invoice_id text, status text)`)
  await query(`create table "${schema}".receipt_emails (invoice_id text)`)
  await query(`create table "${schema}".outbox_messages (invoice_id text)`)
  await query(`insert into "${schema}".invoices (id, status) values ('in_1', 'open')`)
}

function markPaid(schema: string) {
  return async (event: WebhookEvent, { tx }: HandlerContext<PgTransaction>): Promise<void> => {
    const { objectId } = event
    const paid = await tx.query(
      `update "${schema}".invoices set status = 'paid' where id = $1 and status <> 'paid' returning id`,
      [objectId],
    )
    if (paid.rows.length === 1) await tx.query(`insert into "${schema}".transitions values ($1, 'paid')`, [objectId])
    await tx.query(`insert into "${schema}".receipt_emails values ($1)`, [objectId])
    await tx.query(`insert into "${schema}".outbox_messages values ($1)`, [objectId])
  }
}

function invoicePaid(id: string) {
  return stripeDelivery(id, 'invoice.paid', { data: { object: { id: 'in_1', object: 'invoice' } } })
}

async function billing({ query, schema }: TestDatabase) {
  const count = async (table: string): Promise<number> => (await query(`select 1 from "${schema}".${table}`)).length
  return {
    receipts: await count('receipts'),
    transitions: await count('transitions'),
    emails: await count('receipt_emails'),
    messages: await count('outbox_messages'),
    invoice: (await query<{ status: string }>(`select status from "${schema}".invoices where id = 'in_1'`))[0]?.status,
  }
}

const once = { receipts: 1, transitions: 1, emails: 1, messages: 1, invoice: 'paid' }
const nothing = { receipts: 0, transitions: 0, emails: 0, messages: 0, invoice: 'open' }

describe.each(['inline', 'queued'] as const)('the states that production adds, %s', (mode) => {
  test('the same event sent twice gives one receipt and one business effect', async ({ database, makeInbox }) => {
    await createBillingTables(database)
    const inbox = makeInbox({ mode }).on('stripe', 'invoice.paid', markPaid(database.schema))

    const first = await inbox.receive('stripe', invoicePaid('evt_twice'))
    const second = await inbox.receive('stripe', invoicePaid('evt_twice'))
    await inbox.drain()

    expect(first.kind).toBe(mode === 'inline' ? 'processed' : 'accepted')
    expect(second.kind).toBe('duplicate')
    expect(await billing(database)).toEqual(once)
  })

  test('the same event sent concurrently is decided by the unique key', async ({ database, makeInbox }) => {
    await createBillingTables(database)
    const make = () => makeInbox({ mode }).on('stripe', 'invoice.paid', markPaid(database.schema))
    const inboxes = [make(), make(), make()] as const
    await inboxes[0].migrate()

    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => inboxes.map((inbox) => inbox.receive('stripe', invoicePaid('evt_race')))).flat(),
    )
    await inboxes[0].drain()

    expect(outcomes.filter((outcome) => outcome.kind === 'duplicate')).toHaveLength(29)
    expect(await billing(database)).toEqual(once)
  })

  test('an invalid signature with a valid JSON body is rejected before any work', async ({ database, makeInbox }) => {
    await createBillingTables(database)
    const inbox = makeInbox({ mode }).on('stripe', 'invoice.paid', markPaid(database.schema))
    await inbox.migrate()
    const authentic = invoicePaid('evt_forged')

    const outcome = await inbox.receive('stripe', {
      ...authentic,
      headers: { 'stripe-signature': `t=1,v1=${'0'.repeat(64)}` },
    })
    await inbox.drain()

    expect(outcome.kind).toBe('forged')
    expect(await billing(database)).toEqual(nothing)
  })

  test('an older event after a newer one does not downgrade the state', async ({ database, makeInbox }) => {
    const { schema, query } = database
    await createBillingTables(database)
    const inbox = makeInbox({ mode }).on('stripe', 'customer.subscription.updated', async (event, { tx }) => {
      const { status } = event.payload.data.object
      await tx.query(`update "${schema}".invoices set status = $2, version = $3 where id = $1 and version < $3`, [
        event.objectId,
        status,
        Math.floor((event.occurredAt?.getTime() ?? 0) / 1000),
      ])
    })
    const update = (id: string, created: number, status: string) =>
      stripeDelivery(id, 'customer.subscription.updated', { created, data: { object: { id: 'in_1', status } } })

    await inbox.receive('stripe', update('evt_newer', 2000, 'active'))
    await inbox.drain()
    await inbox.receive('stripe', update('evt_older', 1000, 'incomplete'))
    await inbox.drain()

    expect(await query(`select status, version from "${schema}".invoices`)).toEqual([
      { status: 'active', version: 2000 },
    ])
    expect(await query(`select event_id, status from "${schema}".receipts order by id`)).toEqual([
      { event_id: 'evt_newer', status: 'processed' },
      { event_id: 'evt_older', status: 'processed' },
    ])
  })
})

describe('the states that production adds, when a worker fails', () => {
  test('a worker that crashes after its state update does not repeat side effects', async ({ database, makeInbox }) => {
    await createBillingTables(database)
    let crashes = 1
    const handler = markPaid(database.schema)
    const inbox = makeInbox({ mode: 'queued' }).on('stripe', 'invoice.paid', async (event, context) => {
      await handler(event, context)
      if (crashes-- > 0) throw new Error('the process fell over after its update')
    })

    await inbox.receive('stripe', invoicePaid('evt_crash'))
    const first = await inbox.drain({ limit: 1 })
    expect(await billing(database)).toEqual({ ...nothing, receipts: 1 })
    const second = await inbox.drain({ limit: 1 })

    expect([first.retrying, second.processed]).toEqual([1, 1])
    expect(await billing(database)).toEqual(once)
  })

  test('a receipt whose worker failed answers the duplicate 2xx, and the internal retry goes on', async ({
    database,
    makeInbox,
  }) => {
    await createBillingTables(database)
    let failures = 1
    const handler = markPaid(database.schema)
    const inbox = makeInbox({ mode: 'queued' }).on('stripe', 'invoice.paid', async (event, context) => {
      if (failures-- > 0) throw new Error('a service is away')
      await handler(event, context)
    })
    await inbox.receive('stripe', invoicePaid('evt_failed'))
    await inbox.drain({ limit: 1 })
    expect((await inbox.receipts.find({ eventId: 'evt_failed' }))[0]?.status).toBe('retrying')

    const response = await inbox.handler('stripe')(requestOf(invoicePaid('evt_failed')))
    await inbox.drain()

    expect(response.status).toBe(200)
    expect(await billing(database)).toEqual(once)
  })

  test('the manual replay of a failed receipt is deliberate and observable', async ({ database, makeInbox }) => {
    await createBillingTables(database)
    let isBroken = true
    const handler = markPaid(database.schema)
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } }).on(
      'stripe',
      'invoice.paid',
      async (event, context) => {
        if (isBroken) throw new Error('a bug')
        await handler(event, context)
      },
    )
    await inbox.receive('stripe', invoicePaid('evt_dead'))
    await inbox.drain()
    const [dead] = await inbox.receipts.find({ status: 'failed' })
    expect(await billing(database)).toEqual({ ...nothing, receipts: 1 })
    isBroken = false

    const replayed = await inbox.replay({ status: 'failed' }, { by: 'ada', why: 'the bug is fixed' })
    const again = await inbox.replay({ status: 'failed' }, { by: 'ada', why: 'pressed twice' })
    await inbox.drain()

    expect([replayed, again]).toEqual([[dead?.id], []])
    expect(await billing(database)).toEqual(once)
    const timeline = await inbox.receipts.timeline(dead?.id ?? '')
    expect(timeline.map(({ kind }) => kind)).toEqual(['received', 'attempt', 'replay', 'attempt'])
    expect(timeline.find(({ kind }) => kind === 'replay')).toMatchObject({ by: 'ada', why: 'the bug is fixed' })
  })
})

function requestOf({ url, headers, body }: ReturnType<typeof invoicePaid>): Request {
  const list = [...(headers as ReadonlyMap<string, readonly string[]>)].map(
    ([name, [value = '']]): [string, string] => [name, value],
  )
  return new Request(url ?? '', { method: 'POST', headers: list, body: Buffer.from(body ?? '') })
}
