import { describe, expect } from 'vitest'
import { stripeDelivery } from '../support/inbox.ts'
import { test } from './open-admin.ts'

const operator = 'operator-token-0123456789abcdef'

describe('the datastore over REST', () => {
  test('is browsed, changed and kept from overwriting', async ({ makeInbox, openAdmin }) => {
    const { call, inbox } = await openAdmin(makeInbox())
    const key = encodeURIComponent('c/1 ü')

    const created = await call('PUT', `/datastore/carts/${key}`, {
      body: { value: { open: true }, ttlSeconds: 60, ifAbsent: true },
    })
    const again = await call('PUT', `/datastore/carts/${key}`, { body: { value: 1, ifAbsent: true } })
    const stale = await call('PUT', `/datastore/carts/${key}`, {
      body: { value: 1, ifVersion: created.body.version + 1 },
    })
    const exchange = { body: { expected: { open: true }, value: null } }
    const exchanged = await call('POST', `/datastore/carts/${key}/compare-and-set`, exchange)
    const refused = await call('POST', `/datastore/carts/${key}/compare-and-set`, exchange)
    const counted = await call('POST', '/datastore/counts/all/increment', { body: { by: 2 } })
    const spaces = await call('GET', '/datastore')
    const read = await call('GET', `/datastore/carts/${key}`)

    expect(created).toMatchObject({ status: 200, body: { namespace: 'carts', key: 'c/1 ü', value: { open: true } } })
    expect([again.status, stale.status, refused.status]).toEqual([409, 409, 409])
    expect(exchanged.body).toMatchObject({ value: null, expiresAt: null })
    expect(counted.body.value).toBe(2)
    expect(spaces.body.items).toMatchObject([{ namespace: 'carts', keys: 1 }, { namespace: 'counts' }])
    expect(read.body.value).toBeNull()

    for (const name of ['a', 'b', 'é', 'z']) await inbox.datastore.set('letters', name, name)
    const first = await call('GET', '/datastore/letters?limit=3')
    const second = await call('GET', `/datastore/letters?limit=3&cursor=${first.body.next as string}`)
    expect([...first.body.items, ...second.body.items].map((item: { key: string }) => item.key)).toEqual([
      'a',
      'b',
      'z',
      'é',
    ])
    expect(second.body.next).toBeNull()

    expect((await call('DELETE', `/datastore/carts/${key}`)).body).toEqual({ outcome: 'deleted' })
    expect((await call('DELETE', `/datastore/carts/${key}`)).status).toBe(404)
    const { body: audit } = await call('GET', '/audit?action=datastore.delete')
    expect(audit.items[0]).toMatchObject({ target: 'carts/c/1 ü' })
  })

  test('refuses what it does not take, in one clear sentence', async ({ makeInbox, openAdmin }) => {
    const { call, inbox } = await openAdmin(makeInbox())
    const put = (path: string, body: unknown): ReturnType<typeof call> => call('PUT', path, { body })

    const answers = await Promise.all([
      put('/datastore/a%2Fb/k', { value: 1 }),
      put(`/datastore/n/${'k'.repeat(513)}`, { value: 1 }),
      put('/datastore/n/%00', { value: 1 }),
      put('/datastore/n/k', { value: 'x'.repeat(65_536) }),
      put('/datastore/n/k', `{"value":${'['.repeat(5000)}1${']'.repeat(5000)}}`),
      put('/datastore/n/k', { value: 1, ttlSeconds: -1 }),
      put('/datastore/n/k', { valeu: 1 }),
      call('POST', '/datastore/n/k/increment', { body: { by: 'one' } }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400, 400])
    expect(answers[3]?.body.error.message).toMatch(/65538 bytes as JSON, and may have 65536/)
    expect((await inbox.datastore.namespaces()).items).toEqual([])
  })
})

describe('automations over REST', () => {
  const definition = {
    on: { source: 'stripe' },
    steps: [{ kind: 'store', operation: 'increment', namespace: 'paid', key: '{{event.type}}' }],
  }

  test('are defined, tried out, run and looked at', async ({ makeInbox, openAdmin }) => {
    const { call, inbox } = await openAdmin(makeInbox({ automations: {} }))

    const created = await call('POST', '/automations', { body: { name: 'count', definition } })
    const again = await call('POST', '/automations', { body: { name: 'count', definition } })
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    const [receipt] = await inbox.receipts.find()
    const from = { kind: 'receipt', id: receipt?.id }
    const tested = await call('POST', '/automations/count/test', { body: { from } })
    await inbox.drain()
    const runs = await call('GET', '/automations/count/runs?outcome=completed')
    const run = await call('GET', `/automation-runs/${runs.body.items[0].id as string}`)

    expect(created).toMatchObject({
      status: 201,
      body: { name: 'count', origin: 'api', isEnabled: true, changedBy: 'the admin' },
    })
    expect(again.status).toBe(409)
    expect(tested.body).toMatchObject({ outcome: 'completed', steps: [{ kind: 'store', output: 1 }] })
    expect(runs.body.items).toHaveLength(1)
    expect(run.body).toMatchObject({ receiptId: receipt?.id, steps: [{ number: 1, outcome: 'done', output: 1 }] })
    expect((await call('GET', '/automations')).body.items).toMatchObject([{ name: 'count', definition }])

    const put = await call('PUT', '/automations/count', { body: { definition, ifRevision: created.body.revision + 1 } })
    expect(put.status).toBe(409)
    expect((await call('DELETE', '/automations/count')).body).toEqual({ outcome: 'deleted' })
    expect((await call('GET', '/automations/count')).status).toBe(404)
  })

  test('can be changed by admins only, and mistakes are named by path', async ({ makeInbox, openAdmin }) => {
    const { call } = await openAdmin(makeInbox({ automations: {} }))
    const wrong = { on: { source: 'github' }, steps: [{ kind: 'code', code: 'return (' }] }

    const forbidden = await call('PUT', '/automations/count', { body: { definition }, token: operator })
    const refused = await call('PUT', '/automations/count', { body: { definition: wrong } })
    const unread = await call('PUT', '/automations/count', {
      body: { definition: { ...wrong, on: { source: 'stripe' } } },
    })

    expect(forbidden.status).toBe(403)
    expect(refused.body.error.details[0]).toEqual({
      path: 'definition.on.source',
      message: 'is no source; there are: stripe',
    })
    expect(unread.body.error.message).toMatch(/steps\[0\]\.code The code cannot be read/)
    expect((await call('GET', '/automations')).body.items).toEqual([])
  })
})
