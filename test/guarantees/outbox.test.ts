import { describe, expect } from 'vitest'
import type { OutgoingMessage, Target } from '../../src/index.ts'
import { handler } from '../../src/targets/handler.ts'
import { http } from '../../src/targets/http.ts'
import { startHangingServer } from '../support/hanging-server.ts'
import { stripeDelivery, test } from '../support/inbox.ts'
import { atScale } from '../support/scale.ts'
import { until } from '../support/until.ts'

/** A target that keeps what it is given, and fails as often as it is told. */
function recorder(failures = 0): { readonly target: Target; readonly sent: OutgoingMessage[] } {
  const sent: OutgoingMessage[] = []
  let left = failures
  const target: Target = {
    kind: 'recorder',
    batchSize: 10,
    concurrency: 2,
    timeoutSeconds: 5,
    deliver: async (messages) =>
      messages.map((message) => {
        sent.push(message)
        return left-- > 0 ? { kind: 'failed', error: 'not now', retry: 'later' } : { kind: 'published' }
      }),
  }
  return { target, sent }
}

describe.each(['inline', 'queued'] as const)('a message of the outbox, %s', (mode) => {
  test('is sent after the commit, with a stable key, and is in the timeline', async ({ makeInbox }) => {
    const { target, sent } = recorder()
    const inbox = makeInbox({ mode, targets: { email: target } })
    inbox.on('stripe', '*', async (event, { outbox }) => {
      await outbox.add('email', { to: 'ada', about: event.id })
      expect(sent).toEqual([])
    })

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    const report = await inbox.drain()

    expect(report.published).toBe(1)
    expect(sent).toMatchObject([
      {
        target: 'email',
        message: { to: 'ada', about: 'evt_1' },
        attempt: 1,
        cause: { source: 'stripe', eventId: 'evt_1' },
      },
    ])
    const [receipt] = await inbox.receipts.find()
    const timeline = await inbox.receipts.timeline(receipt?.id ?? '')
    expect(timeline.find(({ kind }) => kind === 'message')).toMatchObject({
      message: { target: 'email', status: 'published', key: sent[0]?.idempotencyKey },
    })
  })

  test('is not sent when its handler rolls back, and only once when the retry succeeds', async ({
    makeInbox,
    database,
  }) => {
    const { target, sent } = recorder()
    let failures = 1
    const inbox = makeInbox({ mode, targets: { email: target } })
    inbox.on('stripe', '*', async (_, { outbox }) => {
      await outbox.add('email', 'hello')
      if (failures-- > 0) throw new Error('after the message')
    })

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain({ limit: 1 })
    expect(await database.query(`select 1 from "${database.schema}".outbox`)).toEqual([])
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    expect(sent.map(({ message }) => message)).toEqual(['hello'])
  })
})

describe('a message of the outbox', () => {
  test('is retried with the same key, and becomes a dead letter that can be sent again', async ({ makeInbox }) => {
    const { target, sent } = recorder(3)
    const inbox = makeInbox({ mode: 'inline', targets: { crm: target }, retry: { maxAttempts: 3, firstSeconds: 0 } })
    inbox.on('stripe', '*', (_, { outbox }) => outbox.add('crm', { n: 1 }))
    await inbox.receive('stripe', stripeDelivery('evt_1'))

    await inbox.drain()
    const [dead] = await inbox.messages.find({ status: 'failed' })
    const replayed = await inbox.messages.replay({ status: 'failed' })
    await inbox.drain()

    expect(dead).toMatchObject({ target: 'crm', attempts: 3, lastError: 'not now' })
    expect(replayed).toEqual([dead?.id])
    expect(sent.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1])
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(await inbox.messages.find()).toMatchObject([{ status: 'published' }])
  })

  test('with a key of its own is added once, whichever event adds it', async ({ makeInbox }) => {
    const { target, sent } = recorder()
    const added: boolean[] = []
    const inbox = makeInbox({ mode: 'inline', targets: { email: target } })
    inbox.on('stripe', '*', async (_, { outbox }) => {
      added.push((await outbox.add('email', {}, { key: 'welcome:ada' })).added)
    })

    for (const id of ['evt_1', 'evt_2']) await inbox.receive('stripe', stripeDelivery(id))
    await inbox.drain()

    expect(added).toEqual([true, false])
    expect(sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['welcome:ada'])
  })

  test('keeps its place behind an earlier one of the same order, and lets others pass', async ({ makeInbox }) => {
    const { target, sent } = recorder(1)
    // Two calls at once would leave it open which message is the first, and fails.
    const log = { ...target, concurrency: 1 }
    const inbox = makeInbox({ mode: 'inline', targets: { log }, retry: { firstSeconds: 0 } })
    inbox.on('stripe', '*', async (_, { outbox }) => {
      for (const name of ['a1', 'a2']) await outbox.add('log', name, { order: 'a' })
      await outbox.add('log', 'b1', { order: 'b' })
    })
    await inbox.receive('stripe', stripeDelivery('evt_1'))

    for (let round = 0; round < 3; round += 1) await inbox.drain()

    expect(sent.map(({ message }) => message)).toEqual(expect.arrayContaining(['a1', 'b1', 'a1', 'a2']))
    expect(sent.findIndex(({ message }) => message === 'a2')).toBe(sent.length - 1)
  })

  test('waits for its delay', async ({ makeInbox, database }) => {
    const { target, sent } = recorder()
    const inbox = makeInbox({ mode: 'inline', targets: { email: target } })
    inbox.on('stripe', '*', (_, { outbox }) => outbox.add('email', 'later', { delaySeconds: 3600 }))
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()
    expect(sent).toEqual([])

    await database.query(`update "${database.schema}".outbox set due_at = clock_timestamp()`)
    await inbox.drain()

    expect(sent).toHaveLength(1)
  })

  test('to a target that is not there fails its handler with the names of those that are', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'queued', targets: { email: recorder().target }, retry: { maxAttempts: 1 } })
    inbox.on('stripe', '*', (_, { outbox }) => outbox.add('emial', {}))
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    expect((await inbox.receipts.find())[0]?.lastError).toMatch(/no target "emial" for the outbox; there are: email/)
  })
})

describe('a started relay', () => {
  test('goes on with other targets while one hangs', async ({ makeInbox, database }) => {
    const hanging = await startHangingServer()
    const { target, sent } = recorder()
    const inbox = makeInbox({
      mode: 'inline',
      targets: {
        fine: target,
        hangs: http({ url: hanging.url, allowPrivateAddresses: true, timeoutSeconds: 600, concurrency: 2 }),
      },
    })
    inbox.on('stripe', '*', async (event, { outbox }) => {
      await outbox.add('hangs', event.id)
      await outbox.add('fine', event.id)
    })
    await inbox.start()

    for (let number = 0; number < 30; number += 1) await inbox.receive('stripe', stripeDelivery(`evt_${number}`))
    await until(
      () => sent.length,
      (count) => count === 30,
    )

    expect(hanging.requests()).toBeLessThanOrEqual(2)
    const published = await until(
      () => database.query(`select 1 from "${database.schema}".outbox where status = 'published'`),
      (rows) => rows.length === 30,
    )
    expect(published).toHaveLength(30)
    await inbox.stop({ graceSeconds: 0 })
    // Handed back at once: another relay need not wait for the leases.
    expect(await database.query(`select 1 from "${database.schema}".outbox where leased_by is not null`)).toEqual([])
    await hanging.close()
  })

  test('sends the next of an order as soon as the one before is sent', async ({ makeInbox }) => {
    const { target, sent } = recorder()
    const inbox = makeInbox({ mode: 'inline', targets: { log: target }, worker: { leaseSeconds: 3600 } })
    inbox.on('stripe', '*', async (_, { outbox }) => {
      for (const name of ['first', 'second', 'third']) await outbox.add('log', name, { order: 'one' })
    })
    await inbox.start()

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await until(
      () => sent.length,
      (count) => count === 3,
    )

    expect(sent.map(({ message }) => message)).toEqual(['first', 'second', 'third'])
  })

  test('drains 100,000 messages (a tenth in the gate) in batches, each once, with flat memory', async ({
    makeInbox,
    database,
  }) => {
    const count = atScale(100_000)
    const { schema, query } = database
    const seen = new Uint8Array(count + 1)
    let most = 0
    const take = (messages: readonly { readonly message: { readonly n: number } }[]): void => {
      for (const { message } of messages) seen[message.n] = (seen[message.n] ?? 0) + 1
      most = Math.max(most, process.memoryUsage().heapUsed)
    }
    const inbox = makeInbox({
      targets: { bulk: handler<{ readonly n: number }>(take, { batch: 500, concurrency: 2 }) },
    })
    await inbox.migrate()
    await query(
      `insert into "${schema}".outbox (environment, target, key, message, receipt_id, source, event_id, due_at)
       select 'default', 'bulk', 'key_' || n, json_build_object('n', n)::text, 1, 'stripe', 'evt', clock_timestamp()
       from generate_series(1, ${count}) as n`,
    )
    await query(`analyze "${schema}".outbox`)
    const before = process.memoryUsage().heapUsed

    const report = await inbox.drain({ untilMs: 120_000 })

    expect(report).toMatchObject({ published: count, unpublished: 0 })
    expect(seen.slice(1).every((count) => count === 1)).toBe(true)
    expect(await query(`select 1 from "${schema}".outbox where status <> 'published'`)).toEqual([])
    expect(most - before).toBeLessThan(256 << 20)
  })
})

describe('a replay preview', () => {
  test('says what would happen, and nothing of it does', async ({ makeInbox, database, guarantees }) => {
    const { schema, query } = database
    const { target, sent } = recorder()
    let isMended = false
    const inbox = makeInbox({ mode: 'queued', targets: { email: target }, retry: { maxAttempts: 1 } })
    inbox.on(
      'stripe',
      'invoice.paid',
      async (event, { tx, once, latest, outbox, isPreview }) => {
        if (!isMended) throw new Error('a bug')
        expect(isPreview).toBe(true)
        await tx.query(`insert into "${schema}".app_effects (event_id) values ($1)`, [event.id])
        await once('old', () => 1)
        await once('new', () => outbox.add('email', { about: event.id }, { key: 'mail' }))
        await latest('state', 5, () => undefined)
      },
      { name: 'billing' },
    )
    inbox.on('stripe', 'seed', (_, { once }) => once('old', () => 0))
    await inbox.receive('stripe', stripeDelivery('evt_seed', 'seed'))
    await inbox.receive('stripe', stripeDelivery('evt_dead'))
    await inbox.drain()
    isMended = true

    const [preview] = await inbox.replay({ status: 'failed' }, { preview: true })

    expect(preview).toMatchObject({ eventId: 'evt_dead', handlers: [{ handler: 'billing', would: 'succeed' }] })
    expect(preview?.handlers[0]?.effects).toEqual([
      { kind: 'effect', key: 'old', outcome: 'skipped' },
      { kind: 'message', target: 'email', key: 'mail', outcome: 'added' },
      { kind: 'effect', key: 'new', outcome: 'applied' },
      { kind: 'version', key: 'state', version: '5', outcome: 'applied' },
    ])
    expect(await guarantees.effects()).toBe(0)
    expect(await query(`select key from "${schema}".effects`)).toEqual([{ key: 'old' }])
    expect(await query(`select 1 from "${schema}".outbox union all select 1 from "${schema}".versions`)).toEqual([])
    expect(await inbox.receipts.find({ status: 'failed' })).toHaveLength(1)
    expect(sent).toEqual([])
  })

  test('says why a handler would still fail', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } })
    inbox.on('stripe', '*', () => Promise.reject(new Error('still broken')))
    await inbox.receive('stripe', stripeDelivery('evt_dead'))
    await inbox.drain()

    const previews = await inbox.replay({}, { preview: true })

    expect(previews).toMatchObject([{ handlers: [{ would: 'fail', reason: 'Error: still broken' }] }])
  })
})
