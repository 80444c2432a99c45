import { describe, expect } from 'vitest'
import { permanent } from '../../src/index.ts'
import { stripeDelivery, test } from '../support/inbox.ts'
import { until } from '../support/until.ts'

describe('an inline handler that fails', () => {
  test('leaves nothing but the attempt, and the redelivery runs as if for the first time', async ({
    makeInbox,
    database,
    guarantees,
  }) => {
    const { schema, query } = database
    let failures = 1
    const inbox = makeInbox({ mode: 'inline' }).on('stripe', '*', async (event, { tx }) => {
      await tx.query(`insert into "${schema}".app_effects (event_id) values ($1)`, [event.id])
      if (failures-- > 0) throw new Error('not today')
    })

    const first = await inbox.receive('stripe', stripeDelivery('evt_again'))
    expect(await guarantees.receipts()).toEqual([])
    expect(await guarantees.effects()).toBe(0)
    const second = await inbox.receive('stripe', stripeDelivery('evt_again'))

    expect(first).toMatchObject({ kind: 'failed', stored: 'rolled_back' })
    expect(second.kind).toBe('processed')
    expect(await guarantees.effects()).toBe(1)
    expect(await query(`select outcome, error from "${schema}".attempts order by id`)).toEqual([
      { outcome: 'failed', error: 'Error: not today' },
      { outcome: 'succeeded', error: null },
    ])
  })

  test('is taken over by the queue when the source says so', async ({ makeInbox, guarantees }) => {
    let failures = 1
    const inbox = makeInbox({ mode: 'inline', whenInlineFails: 'queue' }).on('stripe', '*', () => {
      if (failures-- > 0) throw new Error('not today')
    })

    const outcome = await inbox.receive('stripe', stripeDelivery('evt_adopted'))
    expect(await guarantees.receipts()).toEqual([{ event_id: 'evt_adopted', status: 'retrying', attempts: 1 }])
    await inbox.drain()

    expect(outcome.kind).toBe('accepted')
    expect(await guarantees.receipts()).toEqual([{ event_id: 'evt_adopted', status: 'processed', attempts: 2 }])
  })

  test('for good becomes a dead letter that the provider need not send again', async ({ makeInbox, guarantees }) => {
    const inbox = makeInbox({ mode: 'inline' }).on('stripe', '*', () => {
      throw permanent('no such thing')
    })

    const outcomes = [
      await inbox.receive('stripe', stripeDelivery('evt_permanent')),
      await inbox.receive('stripe', stripeDelivery('evt_permanent')),
    ]

    expect(outcomes).toMatchObject([{ kind: 'failed', stored: 'dead_letter' }, { kind: 'duplicate' }])
    expect(await guarantees.receipts()).toEqual([{ event_id: 'evt_permanent', status: 'failed', attempts: 1 }])
  })

  test('because it is too early is queued for later', async ({ makeInbox, guarantees }) => {
    let isThere = false
    const inbox = makeInbox({ mode: 'inline' }).on('stripe', '*', (_, { defer }) => {
      if (!isThere) defer({ seconds: 0, reason: 'the parent is not there yet' })
    })

    const outcome = await inbox.receive('stripe', stripeDelivery('evt_early'))
    isThere = true
    await inbox.drain()

    expect(outcome.kind).toBe('accepted')
    expect(await guarantees.receipts()).toEqual([{ event_id: 'evt_early', status: 'processed', attempts: 1 }])
  })
})

describe('the payload of an inline event', () => {
  test('is the same for the first event and for later ones, which are parsed sooner', async ({ makeInbox }) => {
    const seen: unknown[] = []
    const inbox = makeInbox({ mode: 'inline' }).on('stripe', '*', ({ payload }) => {
      seen.push({ ...payload })
      payload.id = 'changed'
    })

    const deliveries = ['evt_1', 'evt_2', 'evt_3'].map((id) => stripeDelivery(id))
    for (const delivery of deliveries) await inbox.receive('stripe', delivery)

    expect(seen).toEqual(deliveries.map(({ body = '' }) => JSON.parse(Buffer.from(body).toString()) as unknown))
  })
})

describe('a copy that comes while the first is still running', () => {
  test.for(['commits', 'rolls back'] as const)(
    'waits, and is right when the first %s',
    async (end, { makeInbox, guarantees, database }) => {
      const { schema } = database
      let runs = 0
      let release = (): void => {}
      const gate = new Promise<void>((resolve) => (release = resolve))
      let markStarted = (): void => {}
      const started = new Promise<void>((resolve) => (markStarted = resolve))
      const handle = async (
        event: { id: string },
        { tx }: { tx: { query: (text: string, values: unknown[]) => Promise<unknown> } },
      ) => {
        runs += 1
        await tx.query(`insert into "${schema}".app_effects (event_id) values ($1)`, [event.id])
        if (runs > 1) return
        markStarted()
        await gate
        if (end === 'rolls back') throw new Error('no')
      }
      // Two inboxes stand for two processes: only the database joins them.
      const one = makeInbox({ mode: 'inline' }).on('stripe', '*', handle)
      const other = makeInbox({ mode: 'inline' }).on('stripe', '*', handle)
      await Promise.all([one.migrate(), other.migrate()])

      const first = one.receive('stripe', stripeDelivery('evt_copy'))
      await started
      const copies = [
        one.receive('stripe', stripeDelivery('evt_copy')),
        other.receive('stripe', stripeDelivery('evt_copy')),
      ]
      release()
      const outcomes = (await Promise.all([first, ...copies])).map(({ kind }) => kind)

      expect(outcomes.toSorted()).toEqual(
        end === 'commits' ? ['duplicate', 'duplicate', 'processed'] : ['duplicate', 'failed', 'processed'],
      )
      expect(await guarantees.effects()).toBe(1)
      expect(await guarantees.receipts()).toHaveLength(1)
    },
  )
})

describe('what a handler asks to be answered', () => {
  test('is what the provider is told', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'inline' }).on('stripe', '*', (_, { respond }) => {
      respond({ status: 201, headers: { 'content-type': 'text/plain' }, body: 'thank you' })
    })

    const outcome = await inbox.receive('stripe', stripeDelivery('evt_answer'))

    expect(outcome).toMatchObject({ kind: 'processed', answer: { status: 201, body: 'thank you' } })
  })
})

describe('a copy of an event that was processed', () => {
  test('is a duplicate at once, although slow handlers hold every place', async ({ makeInbox }) => {
    const gates: (() => void)[] = []
    const inbox = makeInbox({ mode: 'inline', poolSize: 3 })
    inbox.on('stripe', '*', async (event) => {
      if (event.type === 'slow') await new Promise<void>((resolve) => gates.push(resolve))
    })
    await inbox.receive('stripe', stripeDelivery('evt_done'))
    const slow = [1, 2, 3].map((number) => inbox.receive('stripe', stripeDelivery(`evt_slow_${number}`, 'slow')))
    await until(
      () => gates.length,
      (count) => count > 0,
    )

    const copy = await inbox.receive('stripe', stripeDelivery('evt_done'))
    const finished = Promise.all(slow)
    await until(
      () => {
        for (const open of gates.splice(0)) open()
        return inbox.told.filter((event) => event.kind === 'handler' && event.type === 'slow').length
      },
      (count) => count === 3,
    )

    expect(copy.kind).toBe('duplicate')
    expect((await finished).map(({ kind }) => kind)).toEqual(['processed', 'processed', 'processed'])
  })
})
