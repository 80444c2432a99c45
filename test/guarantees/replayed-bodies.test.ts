import { describe, expect } from 'vitest'
import type { Delivery } from '../../src/delivery/delivery.ts'
import { createInbox, isOncehookError } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { copy, githubSecret as secret, silent, test } from '../support/github-inbox.ts'

describe.each(['inline', 'queued'] as const)('a signed body under a new id, %s', (mode) => {
  const taken = mode === 'inline' ? 'processed' : 'accepted'

  test('is processed, and flagged on its receipt, in its timeline and to listeners', async ({ makeInbox }) => {
    const handled: string[] = []
    const inbox = makeInbox({ mode })
    inbox.on('github', '*', (event) => void handled.push(event.id))

    const first = await inbox.receive('github', copy('one'))
    const second = await inbox.receive('github', copy('two'))
    await inbox.drain()

    expect([first, second]).toMatchObject([{ kind: taken }, { kind: taken, repeatsEventId: 'one' }])
    expect(first).not.toHaveProperty('repeatsEventId')
    expect(handled.toSorted()).toEqual(['one', 'two'])
    expect(inbox.told).toMatchObject([
      { outcome: taken },
      { outcome: taken, reason: 'replayed_body', repeatsEventId: 'one', detail: 'It has the body of event one.' },
    ])
    const [receipt] = await inbox.receipts.find({ eventId: 'two' })
    expect(receipt).toMatchObject({ status: 'processed', repeatsEventId: 'one', deliveries: 1 })
    const timeline = await inbox.receipts.timeline(receipt?.id ?? '')
    expect(timeline.find(({ kind }) => kind === 'delivery')).toMatchObject({
      delivery: { kind: 'replayed_body', eventId: 'two', detail: 'It has the body of event one.' },
    })
  })

  test('is a duplicate of the first, if the source says so', async ({ makeInbox }) => {
    const handled: string[] = []
    const inbox = makeInbox({ mode, replayedBody: 'duplicate' })
    inbox.on('github', '*', (event) => void handled.push(event.id))

    const first = await inbox.receive('github', copy('one'))
    const second = await inbox.receive('github', copy('two'))
    await inbox.drain()

    const receiptId = 'receiptId' in first ? first.receiptId : undefined
    expect(second).toEqual({ kind: 'duplicate', receiptId, eventId: 'two', isMutated: false, repeatsEventId: 'one' })
    expect(handled).toEqual(['one'])
    expect(inbox.told[1]).toMatchObject({ outcome: 'duplicate', status: 200, reason: 'replayed_body', eventId: 'two' })
    expect(await inbox.receipts.find()).toMatchObject([{ eventId: 'one', deliveries: 2 }])
    const timeline = await inbox.receipts.timeline(receiptId ?? '')
    expect(timeline.find(({ kind }) => kind === 'delivery')).toMatchObject({
      delivery: { kind: 'replayed_body', eventId: 'one', detail: 'It came as event two.', status: 200 },
    })
  })

  test('and another type is noticed too: the type is not signed either', async ({ makeInbox }) => {
    const handled: string[] = []
    const inbox = makeInbox({ mode, replayedBody: 'duplicate' })
    inbox.on('github', 'push', (event) => void handled.push(event.id))

    const ignored = await inbox.receive('github', copy('one', 'issues'))
    const second = await inbox.receive('github', copy('two', 'push'))
    await inbox.drain()

    expect([ignored, second]).toMatchObject([{ kind: 'ignored' }, { kind: 'duplicate', repeatsEventId: 'one' }])
    expect(handled).toEqual([])
  })

  test('can be replayed by hand like any other', async ({ makeInbox }) => {
    const handled: string[] = []
    const inbox = makeInbox({ mode })
    inbox.on('github', '*', (event) => void handled.push(event.id))
    for (const id of ['one', 'two']) await inbox.receive('github', copy(id))
    await inbox.drain()

    await inbox.replay({ status: 'processed' }, { by: 'ada', why: 'once more' })
    await inbox.drain()

    expect(handled.toSorted()).toEqual(['one', 'one', 'two', 'two'])
  })
})

describe('equal signed bodies', () => {
  test('of two tenants, environments or sources are two events', async ({ database }) => {
    const secrets = new Map(['acme', 'umbrella'].map((name) => [name, `a secret of the tenant ${name}`]))
    const tenant = ({ url }: Delivery): string => new URL(url).searchParams.get('tenant') ?? ''
    const many = github({
      secret: (delivery: Delivery) => secrets.get(tenant(delivery)),
      tenant,
      replayedBody: 'duplicate',
    })
    const lone = github({ secret, replayedBody: 'duplicate' })
    const inboxes = ['live', 'test'].map((environment) => {
      const store = postgresStore(database.pool, { schema: database.schema })
      const inbox = createInbox({ store, sources: { many, lone, other: lone }, environment, logger: silent })
      for (const source of ['many', 'lone', 'other'] as const) inbox.on(source, '*', () => undefined)
      return inbox
    })
    const ofTenant = (name: string, id: string): Delivery => ({
      ...copy(id, 'push', secrets.get(name)),
      url: `https://example.com/in/many?tenant=${name}`,
    })

    const kinds: string[] = []
    for (const inbox of inboxes) {
      for (const name of ['acme', 'umbrella']) kinds.push((await inbox.receive('many', ofTenant(name, 'one'))).kind)
      for (const source of ['lone', 'other'] as const) kinds.push((await inbox.receive(source, copy('one'))).kind)
    }
    const again = await inboxes[0]?.receive('many', ofTenant('acme', 'two'))

    expect(kinds).toEqual(Array.from({ length: 8 }, () => 'processed'))
    expect(again).toMatchObject({ kind: 'duplicate', repeatsEventId: 'acme:one' })
  })

  test('of a source whose ids are signed are two events, and no keys are kept', async ({ database }) => {
    const { pool, schema, query } = database
    const source = stripe({ secret, identity: ({ delivery }) => delivery.headers.get('x-id')?.[0] })
    const inbox = createInbox({ store: postgresStore(pool, { schema }), sources: { stripe: source }, logger: silent })
    inbox.on('stripe', '*', () => undefined)
    const delivery = stripe({ secret }).sign({ id: 'evt_1' }, new Date())
    const named = (id: string): Delivery => ({ ...delivery, headers: new Map([...delivery.headers, ['x-id', [id]]]) })

    const outcomes = [await inbox.receive('stripe', named('one')), await inbox.receive('stripe', named('two'))]

    expect(outcomes.map(({ kind }) => kind)).toEqual(['processed', 'processed'])
    expect(await query(`select id from "${schema}".receipts where signed_key is not null`)).toEqual([])
  })

  test('with several events in them are not compared: their ids are in the body', async ({ makeInbox }) => {
    const inbox = makeInbox({
      replayedBody: 'duplicate',
      identity: ({ headers }) =>
        ['a', 'b'].map((part) => ({ id: `${headers.get('x-github-delivery')}-${part}`, type: 'push' })),
    })
    inbox.on('github', '*', () => undefined)

    const outcomes = [await inbox.receive('github', copy('one')), await inbox.receive('github', copy('two'))]

    expect(outcomes).toMatchObject(
      outcomes.map(() => ({ kind: 'batch', outcomes: [{ kind: 'processed' }, { kind: 'processed' }] })),
    )
  })
})

describe('the option replayedBody', () => {
  test('is a mistake where it would have no effect, and where it is misspelt', () => {
    const mistake = (make: () => unknown): string => {
      try {
        make()
        return ''
      } catch (error) {
        return isOncehookError(error, 'ONCEHOOK_INVALID_OPTIONS') ? error.message : String(error)
      }
    }

    expect(mistake(() => stripe({ secret, replayedBody: 'flag' }))).toMatch(/"replayedBody" would have no effect/)
    // @ts-expect-error There is no such policy.
    expect(mistake(() => github({ secret, replayedBody: 'drop' }))).toMatch(/"replayedBody" must be/)
    expect(mistake(() => github({ secret, replayedBody: 'flag' }))).toBe('')
  })
})

describe('what is logged of a repeated body', () => {
  test.for([
    { replayedBody: 'flag', level: 'info', message: 'webhook processed, with the body of another event' },
    { replayedBody: 'duplicate', level: 'warn', message: 'webhook duplicate, with the body of another event' },
  ] as const)('names both events ($replayedBody)', async ({ replayedBody, level, message }, { makeInbox }) => {
    const lines: object[] = []
    const logger = { ...silent, [level]: (fields: object, text: string) => void lines.push({ ...fields, text }) }
    const inbox = makeInbox({ logger, replayedBody })
    inbox.on('github', '*', () => undefined)
    await inbox.receive('github', copy('one'))
    lines.length = 0

    await inbox.receive('github', copy('two'))

    expect(lines.at(-1)).toMatchObject({ eventId: 'two', repeatsEventId: 'one', text: message })
  })
})
