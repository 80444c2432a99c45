import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { Datastore } from '../../src/index.ts'
import { stripeDelivery, test } from '../support/inbox.ts'

describe('the datastore in a handler', () => {
  test('commits with the handler, and is undone with it', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'queued' })
    const seen: unknown[] = []
    inbox.on('stripe', '*', async (event, { datastore, attempt }) => {
      seen.push((await datastore.increment('runs', event.id)).value)
      await datastore.set('last', event.objectId ?? 'none', { id: event.id, attempt })
      if (attempt === 1) throw new Error('not yet')
    })
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.start()
    await inbox.handled('succeeded')

    expect(seen).toEqual([1, 1])
    expect((await inbox.datastore.get('runs', 'evt_1'))?.value).toBe(1)
    expect((await inbox.datastore.list('last')).items).toMatchObject([{ value: { id: 'evt_1', attempt: 2 } }])
  })

  test('shows in a preview what it would change, and changes nothing', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'inline' })
    inbox.on('stripe', '*', async (event, { datastore }) => {
      await datastore.setIfAbsent('seen', event.id, true)
      await datastore.set('last', 'event', event.id)
      await datastore.delete('last', 'other')
    })
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.datastore.delete('last', 'event')

    const [preview] = await inbox.replay({ status: ['processed'] }, { preview: true })

    expect(preview?.handlers[0]?.effects).toEqual([
      { kind: 'value', namespace: 'seen', key: 'evt_1', outcome: 'kept' },
      { kind: 'value', namespace: 'last', key: 'event', outcome: 'stored' },
      { kind: 'value', namespace: 'last', key: 'other', outcome: 'kept' },
    ])
    expect(await inbox.datastore.get('last', 'event')).toBeUndefined()
  })

  test('fails a handler that does not wait for it, or passes over its failure', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'inline' })
    inbox.on('stripe', 'invoice.paid', (event, { datastore }) => void datastore.set('n', event.id, 1))
    inbox.on('stripe', 'invoice.voided', async (event, { datastore }) => {
      await datastore.set('n', event.id, 1)
      await datastore.set('n', '', 1).catch(() => {})
    })

    const left = await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid'))
    const swallowed = await inbox.receive('stripe', stripeDelivery('evt_2', 'invoice.voided'))

    expect([left.kind, swallowed.kind]).toEqual(['failed', 'failed'])
    expect((await inbox.datastore.list('n')).items).toEqual([])
  })
})

describe('changes that come at once', () => {
  test('give an absent key to one, and lose no increment', async ({ makeInbox }) => {
    const stores: readonly Datastore[] = [makeInbox(), makeInbox(), makeInbox()].map(({ datastore }) => datastore)
    await stores[0]?.namespaces()
    const all = <Result>(work: (datastore: Datastore, number: number) => Promise<Result>): Promise<Result[]> =>
      Promise.all(Array.from({ length: 30 }, (_, index) => work(stores[index % 3] as Datastore, index)))

    const claims = await all((datastore, number) => datastore.setIfAbsent('seen', 'evt_1', number))
    await all((datastore) => datastore.increment('counts', 'all'))
    const { version } = (await stores[0]?.set('carts', 'c1', 'open')) ?? { version: 0 }
    const changes = await all((datastore, number) =>
      datastore.compareAndSet('carts', 'c1', {
        expected: number % 2 === 0 ? { version } : { value: 'open' },
        value: number,
      }),
    )

    const winners = claims.filter(({ stored }) => stored)
    expect(winners).toHaveLength(1)
    expect(new Set(claims.map(({ current }) => current?.value))).toEqual(new Set([winners[0]?.current?.value]))
    expect((await stores[1]?.get('counts', 'all'))?.value).toBe(30)
    expect(changes.filter(({ stored }) => stored)).toHaveLength(1)
  })
})

describe('with encryption', () => {
  const encryption = { current: 'one', keys: { one: randomBytes(32).toString('base64') } }

  test('values are sealed and bound to their place, and read by whoever has the key', async ({
    makeInbox,
    database,
  }) => {
    const plain = makeInbox()
    await plain.datastore.set('carts', 'before', 'in the clear')
    const inbox = makeInbox({ encryption })
    await inbox.datastore.set('carts', 'c1', { card: '4242' })
    await inbox.datastore.increment('hits', 'ada', { by: 2 })
    await inbox.datastore.increment('hits', 'ada', { by: 3 })

    const rows = await database.query(`select value from "${database.schema}".datastore where key <> 'before'`)
    expect(JSON.stringify(rows)).not.toContain('4242')
    expect((await inbox.datastore.get('hits', 'ada'))?.value).toBe(5)
    expect((await inbox.datastore.list('carts')).items.map(({ value }) => value)).toEqual([
      'in the clear',
      { card: '4242' },
    ])
    const changed = { expected: { value: { card: '4242' } }, value: 'changed' }
    expect((await inbox.datastore.compareAndSet('carts', 'c1', changed)).stored).toBe(true)

    await database.query(
      `update "${database.schema}".datastore set value = (select value from "${database.schema}".datastore where key = 'ada') where key = 'c1'`,
    )
    await expect(inbox.datastore.get('carts', 'c1')).rejects.toThrow(/"c1"/)
  })

  test('a new key takes over the values too', async ({ makeInbox, database }) => {
    await makeInbox().datastore.set('carts', 'clear', 1)
    await makeInbox({ encryption }).datastore.set('carts', 'old', 2)
    const two = { current: 'two', keys: { ...encryption.keys, two: randomBytes(32).toString('base64') } }
    const inbox = makeInbox({ encryption: two })

    const report = await inbox.rekey()

    expect(report).toMatchObject({ values: 2, isComplete: true, unreadable: 0 })
    const rows = await database.query<{ value: string }>(`select value from "${database.schema}".datastore`)
    expect(rows.every(({ value }) => value.startsWith(' {"keyId":"two"'))).toBe(true)
    expect((await inbox.datastore.list('carts')).items.map(({ value }) => value)).toEqual([1, 2])
  })
})
