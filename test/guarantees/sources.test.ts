import { createHmac, generateKeyPairSync } from 'node:crypto'
import { describe, expect } from 'vitest'
import { createInbox, type Delivery } from '../../src/index.ts'
import { discord } from '../../src/providers/discord.ts'
import { slack } from '../../src/providers/slack.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { whatsapp } from '../../src/providers/whatsapp.ts'
import { zoom } from '../../src/providers/zoom.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { test } from '../support/database.ts'

const oldSecret = 'whsec_old_0123456789abcdef01234567'
const newSecret = 'whsec_new_0123456789abcdef01234567'
const silent = { info: () => {}, warn: () => {}, error: () => {} }

describe('the secrets of a source', () => {
  test('may be several, and it is recorded which one verified', async ({ database }) => {
    const store = postgresStore(database.pool, { schema: database.schema })
    const inbox = createInbox({
      store,
      sources: { stripe: stripe({ secret: [newSecret, oldSecret] }) },
      logger: silent,
    })
    inbox.on('stripe', '*', () => undefined)

    await inbox.receive('stripe', stripe({ secret: newSecret }).sign({ id: 'evt_new' }, new Date()))
    await inbox.receive('stripe', stripe({ secret: oldSecret }).sign({ id: 'evt_old' }, new Date()))

    const receipts = await inbox.receipts.find()
    expect(receipts.map(({ eventId, secretIndex }) => [eventId, secretIndex])).toEqual([
      ['evt_old', 1],
      ['evt_new', 0],
    ])
  })

  test('may be looked up for each request, and a tenant cannot sign for another', async ({ database }) => {
    const secrets = new Map([
      ['acme', oldSecret],
      ['umbrella', newSecret],
    ])
    const store = postgresStore(database.pool, { schema: database.schema })
    const tenantOf = ({ url }: Delivery): string => new URL(url).searchParams.get('tenant') ?? ''
    const source = stripe({ secret: async (delivery: Delivery) => secrets.get(tenantOf(delivery)) ?? [] })
    const inbox = createInbox({ store, sources: { stripe: source }, logger: silent }).on('stripe', '*', () => undefined)
    const signedBy = (secret: string, tenant: string) => ({
      ...stripe({ secret }).sign({ id: `evt_${tenant}` }, new Date()),
      url: `https://example.com/in/stripe?tenant=${tenant}`,
    })

    const outcomes = [
      await inbox.receive('stripe', signedBy(oldSecret, 'acme')),
      await inbox.receive('stripe', signedBy(oldSecret, 'umbrella')),
      await inbox.receive('stripe', signedBy(oldSecret, 'nobody')),
    ]

    expect(outcomes.map(({ kind }) => kind)).toEqual(['processed', 'forged', 'forged'])
    expect((await inbox.receipts.find()).map(({ eventId }) => eventId)).toEqual(['evt_acme'])
  })

  test('of many tenants do not let one use up the id of another’s event', async ({ database }) => {
    const secrets = new Map([
      ['acme', oldSecret],
      ['umbrella', newSecret],
    ])
    const tenant = ({ url }: Delivery): string => new URL(url).searchParams.get('tenant') ?? ''
    const source = stripe({ secret: (delivery: Delivery) => secrets.get(tenant(delivery)) ?? [], tenant })
    const store = postgresStore(database.pool, { schema: database.schema })
    const inbox = createInbox({ store, sources: { stripe: source }, logger: silent }).on('stripe', '*', () => undefined)
    const signedBy = (name: string) => ({
      ...stripe({ secret: secrets.get(name) ?? '' }).sign({ id: 'evt_same' }, new Date()),
      url: `https://example.com/in/stripe?tenant=${name}`,
    })

    const outcomes = [
      await inbox.receive('stripe', signedBy('umbrella')),
      await inbox.receive('stripe', signedBy('acme')),
      await inbox.receive('stripe', signedBy('acme')),
    ]

    expect(outcomes.map(({ kind }) => kind)).toEqual(['processed', 'processed', 'duplicate'])
    expect((await inbox.receipts.find()).map(({ eventId }) => eventId)).toEqual(['acme:evt_same', 'umbrella:evt_same'])
  })

  test('whose look-up fails make the provider send again, and nothing is stored', async ({ database }) => {
    const store = postgresStore(database.pool, { schema: database.schema })
    const source = stripe({ secret: () => Promise.reject(new Error('vault is sealed')) })
    const inbox = createInbox({ store, sources: { stripe: source }, logger: silent }).on('stripe', '*', () => undefined)

    const response = await inbox.handler('stripe')(
      new Request('https://example.com/in/stripe', { method: 'POST', body: '{}' }),
    )

    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await inbox.receipts.find()).toEqual([])
  })
})

describe('event types', () => {
  test('that are not on the allowlist are acknowledged, counted and not recorded', async ({ database }) => {
    const { schema, pool, query } = database
    const runs: string[] = []
    const source = stripe({ secret: oldSecret, types: ['invoice.*'] })
    const inbox = createInbox({ store: postgresStore(pool, { schema }), sources: { stripe: source }, logger: silent })
    inbox.on('stripe', '*', (event) => void runs.push(event.type))

    const other = await inbox.receive('stripe', source.sign({ id: 'evt_1', type: 'charge.succeeded' }, new Date()))
    const invoice = await inbox.receive('stripe', source.sign({ id: 'evt_2', type: 'invoice.paid' }, new Date()))
    await inbox.stop()

    expect([other, invoice]).toMatchObject([{ kind: 'ignored', reason: 'not_allowed' }, { kind: 'processed' }])
    expect(runs).toEqual(['invoice.paid'])
    expect(await query(`select event_id from "${schema}".receipts`)).toEqual([{ event_id: 'evt_2' }])
    await inbox.drain()
    expect(await query(`select kind, event_id from "${schema}".deliveries`)).toEqual([
      { kind: 'not_allowed', event_id: 'evt_1' },
    ])
  })

  test('without a handler are acknowledged and recorded as ignored', async ({ database }) => {
    const { schema, pool, query } = database
    const source = stripe({ secret: oldSecret })
    const inbox = createInbox({ store: postgresStore(pool, { schema }), sources: { stripe: source }, logger: silent })
    inbox.on('stripe', 'invoice.paid', () => undefined)

    const outcome = await inbox.receive('stripe', source.sign({ id: 'evt_1', type: 'charge.succeeded' }, new Date()))

    expect(outcome).toMatchObject({ kind: 'ignored', reason: 'no_handler' })
    expect(await query(`select event_id, status from "${schema}".receipts`)).toEqual([
      { event_id: 'evt_1', status: 'ignored' },
    ])
    expect(await query(`select 1 from "${schema}".queue`)).toEqual([])
  })
})

describe('environments and sources', () => {
  test('keep equal event ids apart', async ({ database }) => {
    const { schema, pool } = database
    const source = stripe({ secret: oldSecret })
    const runs: string[] = []
    const inboxes = ['live', 'test'].map((environment) => {
      const inbox = createInbox({
        store: postgresStore(pool, { schema }),
        sources: { one: source, two: source },
        environment,
        logger: silent,
      })
      inbox.on('one', '*', () => void runs.push(`${environment}/one`))
      return inbox.on('two', '*', () => void runs.push(`${environment}/two`))
    })

    for (const inbox of inboxes) {
      for (const name of ['one', 'two', 'one'] as const)
        await inbox.receive(name, source.sign({ id: 'evt_same' }, new Date()))
    }

    expect(runs).toEqual(['live/one', 'live/two', 'test/one', 'test/two'])
    for (const inbox of inboxes) expect(await inbox.receipts.find()).toHaveLength(2)
  })
})

describe('handshakes', () => {
  test('of Slack, WhatsApp and Discord are answered, and leave nothing', async ({ database }) => {
    const { schema, pool } = database
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const rawPublicKey = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
    const sources = {
      slack: slack({ secret: oldSecret }),
      whatsapp: whatsapp({ secret: oldSecret, verifyToken: 'a-token-of-ours' }),
      discord: discord({
        publicKey: rawPublicKey,
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }),
    }
    const inbox = createInbox({ store: postgresStore(pool, { schema }), sources, logger: silent })
    const now = new Date()
    const challenge = sources.slack.sign({ body: '{"type":"url_verification","challenge":"c-1"}' }, now)
    const ping = sources.discord.sign({ body: '{"type":1}' }, now)
    const subscribe = 'https://example.com/in/whatsapp?hub.mode=subscribe&hub.challenge=77&hub.verify_token='

    const outcomes = [
      await inbox.receive('slack', challenge),
      await inbox.receive('slack', { ...challenge, headers: {} }),
      await inbox.receive('discord', ping),
      await inbox.receive('whatsapp', { method: 'GET', url: `${subscribe}a-token-of-ours` }),
      await inbox.receive('whatsapp', { method: 'GET', url: `${subscribe}another` }),
    ]

    expect(outcomes).toMatchObject([
      { kind: 'handshake', answer: { status: 200, body: expect.stringContaining('c-1') } },
      { kind: 'forged' },
      { kind: 'handshake', answer: { status: 200, body: '{"type":1}' } },
      { kind: 'handshake', answer: { status: 200, body: '77' } },
      { kind: expect.stringMatching(/forged|malformed/) },
    ])
    expect(await inbox.receipts.find()).toEqual([])
  })

  test('that prove knowledge of the secret use the one that signed, while two are live', async ({ database }) => {
    const store = postgresStore(database.pool, { schema: database.schema })
    const inbox = createInbox({ store, sources: { zoom: zoom({ secret: [newSecret, oldSecret] }) }, logger: silent })
    const body = '{"event":"endpoint.url_validation","payload":{"plainToken":"t-1"}}'
    const proof = createHmac('sha256', oldSecret).update('t-1').digest('hex')

    const outcome = await inbox.receive('zoom', zoom({ secret: oldSecret }).sign({ body }, new Date()))

    expect(outcome).toMatchObject({ kind: 'handshake', answer: { body: expect.stringContaining(proof) } })
  })
})

describe('a batch', () => {
  test('yields one receipt for each of its events, and a copy that overlaps adds only what is new', async ({
    database,
  }) => {
    const { schema, pool, query } = database
    const source = whatsapp({ secret: oldSecret, verifyToken: 'a-token-of-ours' })
    const seen: string[] = []
    const inbox = createInbox({
      store: postgresStore(pool, { schema }),
      sources: { whatsapp: source },
      mode: 'queued',
      logger: silent,
    })
    inbox.on('whatsapp', '*', (event) => void seen.push(event.payload.id))
    const batch = (ids: readonly string[]) =>
      source.sign(
        {
          body: JSON.stringify({
            object: 'whatsapp_business_account',
            entry: [
              {
                id: '1',
                changes: [
                  { field: 'messages', value: { messages: ids.map((id) => ({ id, type: 'text', timestamp: '1' })) } },
                ],
              },
            ],
          }),
        },
        new Date(),
      )

    const first = await inbox.receive('whatsapp', batch(['wamid.1', 'wamid.2']))
    const second = await inbox.receive('whatsapp', batch(['wamid.2', 'wamid.3', 'wamid.4']))
    await inbox.drain()

    expect(first).toMatchObject({ kind: 'batch', outcomes: [{ kind: 'accepted' }, { kind: 'accepted' }] })
    expect(second).toMatchObject({
      kind: 'batch',
      outcomes: [{ kind: 'duplicate' }, { kind: 'accepted' }, { kind: 'accepted' }],
    })
    expect(seen.toSorted((one, other) => one.localeCompare(other))).toEqual([
      'wamid.1',
      'wamid.2',
      'wamid.3',
      'wamid.4',
    ])
    expect(await query(`select 1 from "${schema}".receipts where status = 'processed'`)).toHaveLength(4)
    expect(await query(`select 1 from "${schema}".bodies`)).toHaveLength(2)
  })
})
