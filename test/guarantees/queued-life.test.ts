import { describe, expect } from 'vitest'
import { permanent } from '../../src/index.ts'
import { stripeDelivery, test } from '../support/inbox.ts'
import { until } from '../support/until.ts'

describe('the life of a queued event', () => {
  test('goes from received over processing and retrying to processed', async ({ makeInbox }) => {
    const seen: string[] = []
    let failures = 1
    const inbox = makeInbox({ mode: 'queued' })
    const status = async (): Promise<string> => (await inbox.receipts.find())[0]?.status ?? ''
    inbox.on('stripe', '*', async () => {
      seen.push(await status())
      if (failures-- > 0) throw new Error('not today')
    })

    await inbox.receive('stripe', stripeDelivery('evt_life'))
    seen.push(await status())
    await inbox.drain({ limit: 1 })
    seen.push(await status())
    await inbox.drain({ limit: 1 })
    seen.push(await status())

    expect(seen).toEqual(['received', 'processing', 'retrying', 'processing', 'processed'])
  })

  test('ends in the dead letters after the last attempt, with payload and error kept', async ({
    makeInbox,
    database,
  }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 3, firstSeconds: 0 } })
    inbox.on('stripe', '*', () => {
      throw new Error('always')
    })
    await inbox.receive('stripe', stripeDelivery('evt_dead', 'invoice.paid', { note: 'kept' }))

    for (let round = 0; round < 5; round += 1) await inbox.drain({ limit: 1 })

    const [dead] = await inbox.receipts.find({ status: 'failed' })
    expect(dead).toMatchObject({ eventId: 'evt_dead', attempts: 3, lastError: 'Error: always' })
    const body = await inbox.receipts.body(dead?.id ?? '')
    expect(JSON.parse(Buffer.from(body?.content ?? '').toString())).toMatchObject({ id: 'evt_dead', note: 'kept' })
    expect(await database.query(`select 1 from "${database.schema}".queue`)).toEqual([])
  })

  test('skips the retries when the error is permanent', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'queued' }).on('stripe', '*', () => {
      throw permanent(new Error('no such customer'))
    })
    await inbox.receive('stripe', stripeDelivery('evt_permanent'))

    const report = await inbox.drain()

    expect(report).toMatchObject({ dead: 1, retrying: 0 })
    expect(await inbox.receipts.find()).toMatchObject([{ status: 'failed', attempts: 1 }])
  })

  test('waits without counting an attempt when the handler defers', async ({ makeInbox }) => {
    const attempts: number[] = []
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 2, firstSeconds: 0 } })
    inbox.on('stripe', '*', (_, { attempt, defer }) => {
      attempts.push(attempt)
      if (attempts.length < 5) defer({ seconds: 0, reason: 'the customer is not there yet' })
    })
    await inbox.receive('stripe', stripeDelivery('evt_deferred'))

    for (let round = 0; round < 5; round += 1) await inbox.drain({ limit: 1 })

    expect(attempts).toEqual([1, 1, 1, 1, 1])
    expect(await inbox.receipts.find()).toMatchObject([{ status: 'processed', attempts: 1 }])
  })

  test('does not come back before its delay is over', async ({ makeInbox, database }) => {
    let runs = 0
    const inbox = makeInbox({ mode: 'queued', retry: { firstSeconds: 3600 } }).on('stripe', '*', () => {
      runs += 1
      throw new Error('later')
    })
    await inbox.receive('stripe', stripeDelivery('evt_delayed'))
    await inbox.drain()
    await inbox.drain()
    expect(runs).toBe(1)

    await database.query(`update "${database.schema}".queue set due_at = clock_timestamp()`)
    await inbox.drain()

    expect(runs).toBe(2)
    expect(await inbox.receipts.find({ isPending: true })).toMatchObject([{ status: 'retrying', attempts: 2 }])
  })

  test('reaches a worker in another process within moments, which asks nothing while it is idle', async ({
    makeInbox,
    database,
  }) => {
    const worker = makeInbox({ mode: 'queued' })
    worker.on('stripe', '*', () => undefined)
    const receiver = makeInbox({ mode: 'queued' }).on('stripe', '*', () => undefined)
    await worker.start()
    const { schema, query } = database

    await receiver.receive('stripe', stripeDelivery('evt_far'))
    await worker.handled('succeeded')

    expect(await query(`select status from "${schema}".receipts`)).toEqual([{ status: 'processed' }])
  })

  test('is retried by a started worker when its delay is over', async ({ makeInbox }) => {
    let failures = 2
    const inbox = makeInbox({ mode: 'queued', retry: { firstSeconds: 0.05, factor: 1 } })
    inbox.on('stripe', '*', () => {
      if (failures-- > 0) throw new Error('not yet')
    })
    await inbox.start()

    await inbox.receive('stripe', stripeDelivery('evt_timer'))
    await inbox.handled('succeeded')

    expect(
      inbox.told.filter(({ kind }) => kind === 'handler').map((event) => 'outcome' in event && event.outcome),
    ).toEqual(['retrying', 'retrying', 'succeeded'])
  })
})

describe('several handlers for one event', () => {
  test('complete on their own: a retry runs only those that are not done', async ({ makeInbox, database }) => {
    const runs: string[] = []
    let failures = 1
    const inbox = makeInbox({ mode: 'queued' })
    inbox.on('stripe', 'invoice.paid', () => void runs.push('ledger'), { name: 'ledger' })
    inbox.on(
      'stripe',
      'invoice.*',
      () => {
        runs.push('mail')
        if (failures-- > 0) throw new Error('mail server away')
      },
      { name: 'mail' },
    )
    inbox.on('stripe', '*', () => void runs.push('audit'), { name: 'audit' })
    await inbox.receive('stripe', stripeDelivery('evt_three'))

    await inbox.drain({ limit: 1 })
    await inbox.drain({ limit: 1 })

    expect(runs).toEqual(['ledger', 'mail', 'audit', 'mail'])
    expect(await inbox.receipts.find()).toMatchObject([{ status: 'processed', attempts: 2 }])
    expect(await database.query(`select 1 from "${database.schema}".completions`)).toEqual([])
  })

  test('may run partly inline and partly in the queue', async ({ makeInbox, guarantees }) => {
    const runs: string[] = []
    const inbox = makeInbox({ mode: 'inline' })
    inbox.on('stripe', '*', () => void runs.push('inline'), { name: 'inline' })
    inbox.on('stripe', '*', () => void runs.push('queued'), { name: 'queued', mode: 'queued' })

    const outcome = await inbox.receive('stripe', stripeDelivery('evt_both'))
    expect([outcome.kind, runs]).toEqual(['processed', ['inline']])
    await inbox.drain()

    expect(runs).toEqual(['inline', 'queued'])
    expect(await guarantees.receipts()).toMatchObject([{ status: 'processed' }])
  })
})

describe('events of one object', () => {
  test('run one at a time and in the order of arrival, without stopping the others', async ({ makeInbox }) => {
    const order: string[] = []
    let running = 0
    let mostAtOnce = 0
    const gates = new Map<string, () => void>()
    const inbox = makeInbox({ mode: 'queued', worker: { concurrency: 4 } })
    inbox.on(
      'stripe',
      '*',
      async (event) => {
        if (event.objectId === 'in_slow') {
          running += 1
          mostAtOnce = Math.max(mostAtOnce, running)
          await new Promise<void>((resolve) => gates.set(event.id, resolve))
          running -= 1
        }
        order.push(event.id)
      },
      { order: 'object' },
    )
    const about = (id: string, object: string) =>
      stripeDelivery(id, 'invoice.paid', { data: { object: { id: object } } })
    for (const id of ['a1', 'a2', 'a3']) await inbox.receive('stripe', about(id, 'in_slow'))
    await inbox.receive('stripe', about('b1', 'in_other'))

    await inbox.start()
    await until(() => order.includes('b1'), Boolean)
    for (const id of ['a1', 'a2', 'a3']) {
      await until(() => gates.has(id), Boolean)
      gates.get(id)?.()
    }
    await inbox.handled('succeeded', 4)

    expect(order).toEqual(['b1', 'a1', 'a2', 'a3'])
    expect(mostAtOnce).toBe(1)
  })

  test('wait for a retry of the one before them', async ({ makeInbox }) => {
    const order: string[] = []
    let failures = 1
    const inbox = makeInbox({ mode: 'queued' })
    inbox.on(
      'stripe',
      '*',
      (event) => {
        if (event.id === 'first' && failures-- > 0) throw new Error('once more')
        order.push(event.id)
      },
      { order: 'object' },
    )
    const about = (id: string) => stripeDelivery(id, 'invoice.paid', { data: { object: { id: 'in_1' } } })
    await inbox.receive('stripe', about('first'))
    await inbox.receive('stripe', about('second'))

    for (let round = 0; round < 4; round += 1) await inbox.drain({ limit: 1 })

    expect(order).toEqual(['first', 'second'])
  })
})
