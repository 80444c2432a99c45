import { describe, expect } from 'vitest'
import { stripeDelivery, test } from '../support/inbox.ts'

describe.each(['inline', 'queued'] as const)('an effect with a key, %s', (mode) => {
  test('is applied once for all events that share the key, and the others get its result', async ({
    makeInbox,
    database,
    guarantees,
  }) => {
    const { schema } = database
    const seen: unknown[] = []
    const inbox = makeInbox({ mode })
    inbox.on('stripe', '*', async (event, { tx, once }) => {
      seen.push(
        await once('receipt-email:in_1', async () => {
          await tx.query(`insert into "${schema}".app_effects (event_id) values ($1)`, [event.id])
          return { mail: 42 }
        }),
      )
    })

    for (const id of ['evt_1', 'evt_2', 'evt_3']) await inbox.receive('stripe', stripeDelivery(id))
    await inbox.drain()

    expect(seen).toEqual([
      { applied: true, result: { mail: 42 } },
      { applied: false, result: { mail: 42 } },
      { applied: false, result: { mail: 42 } },
    ])
    expect(await guarantees.effects()).toBe(1)
    expect(inbox.told.filter(({ kind }) => kind === 'effect')).toHaveLength(2)
  })

  test('is not counted as applied when its handler rolls back', async ({ makeInbox }) => {
    const applied: boolean[] = []
    let failures = 1
    const inbox = makeInbox({ mode })
    inbox.on('stripe', '*', async (_, { once }) => {
      applied.push((await once('key', () => undefined)).applied)
      if (failures-- > 0) throw new Error('after the effect')
    })

    for (let round = 0; round < 2; round += 1) {
      await inbox.receive('stripe', stripeDelivery('evt_1'))
      await inbox.drain({ limit: 1 })
    }

    expect(applied).toEqual([true, true])
  })

  test('that fails fails its handler, even if the handler swallows the error', async ({ makeInbox, database }) => {
    const inbox = makeInbox({ mode, retry: { maxAttempts: 1 } })
    inbox.on('stripe', '*', async (_, { once }) => {
      await once('key', () => Promise.reject(new Error('no mail server'))).catch(() => undefined)
    })

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    expect(await database.query(`select 1 from "${database.schema}".effects`)).toEqual([])
    expect(inbox.told).toContainEqual(
      expect.objectContaining({ kind: 'handler', error: expect.stringContaining('effect "key" failed') }),
    )
  })

  test('that is not awaited is found out, and nothing of it is kept', async ({ makeInbox, database }) => {
    const inbox = makeInbox({ mode, retry: { maxAttempts: 1 } })
    inbox.on('stripe', '*', (_, { once }) => void once('key', () => undefined).catch(() => undefined))

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    expect(await database.query(`select 1 from "${database.schema}".effects`)).toEqual([])
    expect(inbox.told).toContainEqual(
      expect.objectContaining({ kind: 'handler', error: expect.stringContaining('Await once()') }),
    )
  })
})

describe('what an effect cannot be', () => {
  test.for([
    ['an empty key', '', undefined, /1 to 255 characters/],
    ['a key of 300 characters', 'x'.repeat(300), undefined, /1 to 255 characters/],
    ['a result of 70 KB', 'key', 'x'.repeat(70_000), /more than 64 KB/],
    ['a result that is no JSON', 'key', 10n, /cannot be written as JSON/],
  ] as const)('%s', async ([, key, result, sentence], { makeInbox, database }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } })
    inbox.on('stripe', '*', (_, { once }) => once(key, () => result))

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    expect((await inbox.receipts.find())[0]?.lastError).toMatch(sentence)
    expect(await database.query(`select 1 from "${database.schema}".effects`)).toEqual([])
  })
})

describe('an older event after a newer one', () => {
  test.for(['inline', 'queued'] as const)(
    'is not applied and is recorded as stale, %s',
    async (mode, { makeInbox }) => {
      const applied: string[] = []
      const inbox = makeInbox({ mode })
      inbox.on('stripe', '*', (event, { latest }) =>
        latest(`sub:${event.objectId}`, event.occurredAt ?? 0, () => void applied.push(event.id)),
      )
      const about = (id: string, created: number) =>
        stripeDelivery(id, 'a', { created, data: { object: { id: 'sub_1' } } })

      for (const [id, created] of [
        ['evt_2', 2000],
        ['evt_1', 1000],
        ['evt_tie', 2000],
        ['evt_3', 3000],
      ] as const) {
        await inbox.receive('stripe', about(id, created))
        await inbox.drain()
      }

      expect(applied).toEqual(['evt_2', 'evt_tie', 'evt_3'])
      const receipts = await inbox.receipts.find()
      expect(receipts.map(({ eventId, status }) => [eventId, status])).toEqual([
        ['evt_3', 'processed'],
        ['evt_tie', 'processed'],
        ['evt_1', 'stale'],
        ['evt_2', 'processed'],
      ])
      expect(inbox.told).toContainEqual(expect.objectContaining({ kind: 'effect', outcome: 'stale', eventId: 'evt_1' }))
    },
  )

  test('is decided by an explicit rule when both have the same version', async ({ makeInbox }) => {
    const applied: string[] = []
    const inbox = makeInbox({ mode: 'inline' })
    inbox.on('stripe', '*', (event, { latest }) =>
      latest('key', 7n, () => void applied.push(event.id), { whenEqual: 'stale' }),
    )

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.receive('stripe', stripeDelivery('evt_2'))

    expect(applied).toEqual(['evt_1'])
  })

  test('cannot be told when the kinds of versions differ, and the error says so', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } })
    inbox.on('stripe', 'number', (_, { latest }) => latest('key', 1, () => undefined))
    inbox.on('stripe', 'text', (_, { latest }) => latest('key', 'v2', () => undefined))

    await inbox.receive('stripe', stripeDelivery('evt_1', 'number'))
    await inbox.drain()
    await inbox.receive('stripe', stripeDelivery('evt_2', 'text'))
    await inbox.drain()

    expect((await inbox.receipts.find())[0]).toMatchObject({
      status: 'failed',
      lastError: expect.stringContaining('another kind'),
    })
  })
})

describe('versions that are lists', () => {
  test('of another shape are not compared, and the error says so', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } })
    inbox.on('stripe', 'pair', (_, { latest }) => latest('key', [new Date(5), 1], () => undefined))
    inbox.on('stripe', 'single', (_, { latest }) => latest('key', [999_999], () => undefined))

    await inbox.receive('stripe', stripeDelivery('evt_1', 'pair'))
    await inbox.drain()
    await inbox.receive('stripe', stripeDelivery('evt_2', 'single'))
    await inbox.drain()

    expect((await inbox.receipts.find())[0]).toMatchObject({
      status: 'failed',
      lastError: expect.stringContaining('another kind'),
    })
  })
})

describe('an effect that cannot be', () => {
  test('fails its handler, even if the handler swallows the error', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } })
    inbox.on('stripe', '*', (_, { outbox }) => outbox.add('emial', {}).catch(() => undefined))

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    expect((await inbox.receipts.find())[0]).toMatchObject({
      status: 'failed',
      lastError: expect.stringContaining('no target "emial"'),
    })
  })
})

describe('an event with an inline and a queued handler', () => {
  test('ends as stale when only the inline one was late', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'inline' })
    inbox.on('stripe', '*', (event, { latest }) => latest('key', event.occurredAt ?? 0, () => undefined), {
      name: 'state',
    })
    inbox.on('stripe', '*', () => undefined, { name: 'mail', mode: 'queued' })

    for (const [id, created] of [
      ['evt_2', 2000],
      ['evt_1', 1000],
    ] as const) {
      await inbox.receive('stripe', stripeDelivery(id, 'a', { created, data: { object: { id: 'sub_1' } } }))
      await inbox.drain()
    }

    expect((await inbox.receipts.find()).map(({ eventId, status }) => [eventId, status])).toEqual([
      ['evt_1', 'stale'],
      ['evt_2', 'processed'],
    ])
  })
})

describe('two events for one change', () => {
  test.for(['inline', 'queued'] as const)(
    'run once: the second is recorded as the same change, %s',
    async (mode, { makeInbox }) => {
      const runs: string[] = []
      const inbox = makeInbox({ mode })
      inbox.on('stripe', '*', (event) => void runs.push(event.id), { sameChange: 'object' })
      const about = (id: string, type: string, object: string) =>
        stripeDelivery(id, type, { data: { object: { id: object } } })

      await inbox.receive('stripe', about('evt_1', 'invoice.paid', 'in_1'))
      await inbox.drain()
      await inbox.receive('stripe', about('evt_2', 'invoice.paid', 'in_1'))
      await inbox.receive('stripe', about('evt_3', 'invoice.voided', 'in_1'))
      await inbox.receive('stripe', about('evt_4', 'invoice.paid', 'in_2'))
      await inbox.drain()

      expect(runs.toSorted((one, other) => one.localeCompare(other))).toEqual(['evt_1', 'evt_3', 'evt_4'])
      expect((await inbox.receipts.find({ status: 'same_change' })).map(({ eventId }) => eventId)).toEqual(['evt_2'])
    },
  )

  test('are told apart for the whole source, and a handler may see it otherwise', async ({ makeInbox }) => {
    const runs: string[] = []
    const inbox = makeInbox({ mode: 'inline', source: { sameChange: 'object' } })
    inbox.on('stripe', '*', (event) => void runs.push(`once ${event.id}`), { name: 'once' })
    inbox.on('stripe', '*', (event) => void runs.push(`each ${event.id}`), { name: 'each', sameChange: ({ id }) => id })
    const about = (id: string) => stripeDelivery(id, 'invoice.paid', { data: { object: { id: 'in_1' } } })

    await inbox.receive('stripe', about('evt_1'))
    await inbox.receive('stripe', about('evt_2'))

    expect(runs).toEqual(['once evt_1', 'each evt_1', 'each evt_2'])
    expect((await inbox.receipts.find()).map(({ status }) => status)).toEqual(['processed', 'processed'])
  })

  test('run again when the first one rolled back', async ({ makeInbox }) => {
    const runs: string[] = []
    const inbox = makeInbox({ mode: 'inline' })
    inbox.on(
      'stripe',
      '*',
      (event) => {
        runs.push(event.id)
        if (event.id === 'evt_1') throw new Error('no')
      },
      { sameChange: () => 'one change' },
    )

    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.receive('stripe', stripeDelivery('evt_2'))

    expect(runs).toEqual(['evt_1', 'evt_2'])
    expect((await inbox.receipts.find()).map(({ eventId, status }) => [eventId, status])).toEqual([
      ['evt_2', 'processed'],
    ])
  })
})

describe('an idempotency key', () => {
  test('is the same in every attempt and replay, and different for every event and label', async ({ makeInbox }) => {
    const keys: string[][] = []
    let failures = 1
    const inbox = makeInbox({ mode: 'queued' })
    inbox.on('stripe', '*', (_, { idempotencyKey }) => {
      keys.push([idempotencyKey('charge'), idempotencyKey('mail')])
      if (failures-- > 0) throw new Error('again')
    })
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain({ limit: 1 })
    await inbox.drain({ limit: 1 })
    await inbox.replay({ status: 'processed' }, { by: 'ada', why: 'a test' })
    await inbox.drain()
    await inbox.receive('stripe', stripeDelivery('evt_2'))
    await inbox.drain()

    expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]])
    expect(new Set(keys.flat()).size).toBe(4)
    expect(keys.flat().every((key) => key.length <= 255)).toBe(true)
  })
})

describe('the current state at the provider', () => {
  test('is what the source’s fetchCurrent gives, and its failure is one clear error', async ({ makeInbox }) => {
    const seen: unknown[] = []
    let isAway = true
    const inbox = makeInbox({
      mode: 'queued',
      source: {
        fetchCurrent: async ({ objectId }) => {
          if (isAway) throw new Error('503 from the API')
          return { id: objectId, status: 'active' }
        },
      },
    })
    inbox.on('stripe', '*', async (_, { fetchCurrent }) => void seen.push(await fetchCurrent()))
    await inbox.receive('stripe', stripeDelivery('evt_1', 'a', { data: { object: { id: 'sub_1' } } }))

    await inbox.drain({ limit: 1 })
    expect((await inbox.receipts.find())[0]?.lastError).toMatch(
      /stripe object sub_1 could not be fetched: .*503 from the API/,
    )
    isAway = false
    await inbox.drain({ limit: 1 })

    expect(seen).toEqual([{ id: 'sub_1', status: 'active' }])
  })
})
