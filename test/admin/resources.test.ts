import { describe, expect } from 'vitest'
import { stripeDelivery } from '../support/inbox.ts'
import { test } from './open-admin.ts'

describe('the resources', () => {
  test('show what came, what failed, and why', async ({ makeInbox, openAdmin }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } })
    inbox.on('stripe', 'invoice.paid', async () => {
      throw new Error('no answer after 31 ms')
    })
    inbox.on('stripe', 'charge.*', () => {})
    const { call } = await openAdmin(inbox, { ingestUrl: 'https://hooks.example.com' })
    const good = stripeDelivery('evt_1', 'charge.refunded')
    for (const delivery of [good, good, stripeDelivery('evt_2'), stripeDelivery('evt_3')]) {
      await inbox.receive('stripe', delivery)
    }
    await inbox.receive('stripe', stripeDelivery('evt_4', 'invoice.paid', undefined, 'whsec_0000000000000000'))
    await inbox.drain()

    const traffic = await call('GET', '/traffic?minutes=5')
    const totals = (name: string): number =>
      traffic.body.buckets.reduce((sum: number, bucket: Record<string, number>) => sum + (bucket[name] ?? 0), 0)
    expect(traffic.body.buckets).toHaveLength(5)
    expect(['accepted', 'duplicates', 'refused', 'succeeded', 'failed'].map(totals)).toEqual([3, 1, 1, 1, 2])

    const overview = await call('GET', '/overview')
    expect(overview.body).toMatchObject({
      numbers: { duplicateRate: 0.25, ledgerRows: 3 },
      queue: { waiting: 0, failed: 2 },
      sources: 1,
      alerts: 0,
    })

    const groups = await call('GET', '/dead-letters/groups')
    expect(groups.body).toMatchObject({
      items: [{ source: 'stripe', type: 'invoice.paid', error: 'Error: no answer after 31 ms', count: 2 }],
      isComplete: true,
    })

    const source = await call('GET', '/sources/stripe')
    expect(source.body).toMatchObject({
      provider: 'stripe',
      url: 'https://hooks.example.com/in/stripe',
      isVerified: true,
      handlers: [{ types: ['invoice.paid'] }, { types: ['charge.*'] }],
      meters: { deadline: null, secrets: [{ position: 1, deliveries: 4 }] },
      retryPattern: { copies: 1 },
      recentRefusals: [{ kind: 'forged', status: 401 }],
    })
  })

  test('find a receipt by any of its names, and types by their beginning', async ({ makeInbox, openAdmin }) => {
    const { call, inbox } = await openAdmin(makeInbox())
    await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', { data: { object: { id: 'in_77' } } }))
    await inbox.receive('stripe', stripeDelivery('evt_2', 'charge.refunded'))
    const find = async (q: string): Promise<readonly string[]> =>
      (await call('GET', `/receipts?q=${encodeURIComponent(q)}`)).body.items.map(
        (one: { eventId: string }) => one.eventId,
      )
    const [receipt] = await inbox.receipts.find({ eventId: 'evt_1' })

    expect(await find('evt_1')).toEqual(['evt_1'])
    expect(await find(receipt?.id ?? '')).toEqual(['evt_1'])
    expect(await find(receipt?.objectId ?? '')).toEqual(['evt_1'])
    expect(await find('charge.refunded')).toEqual(['evt_2'])
    expect(await find('charge.*')).toEqual(['evt_2'])
    expect(await find('nothing')).toEqual([])
    const listed = await call('GET', '/receipts?status=ignored,processed&after=2020-01-01T00:00:00Z&source=stripe')
    expect(listed.body).toMatchObject({ items: [{ eventId: 'evt_2' }, { eventId: 'evt_1' }], next: null })
    expect((await call('GET', '/receipts?before=2020-01-01T00:00:00Z')).body).toEqual({ items: [], next: null })
  })

  test('say why a delivery would not be believed, and record nothing', async ({ makeInbox, openAdmin }) => {
    const { call, inbox } = await openAdmin(makeInbox())
    const signed = stripeDelivery('evt_1') as { headers: ReadonlyMap<string, readonly string[]>; body: Uint8Array }
    const headers = [...signed.headers].map(([name, [value]]) => [name, value])
    const diagnose = (body: object): ReturnType<typeof call> =>
      call('POST', '/sources/stripe/diagnose', { body: { headers, ...body } })

    const bodyBase64 = Buffer.from(signed.body).toString('base64')
    expect((await diagnose({ bodyBase64 })).body).toMatchObject({ verdict: 'authentic', events: [{ id: 'evt_1' }] })
    expect((await diagnose({ body: `${Buffer.from(signed.body).toString()}\n` })).body).toMatchObject({
      verdict: 'forged',
      reason: 'signature_mismatch',
      hint: expect.stringMatching(/line break|newline/i),
    })
    expect((await call('POST', '/sources/none/diagnose', { body: { headers: [] } })).status).toBe(404)
    expect(await inbox.receipts.find()).toEqual([])
    expect(await inbox.admin.refusals('stripe', 10)).toEqual([])
  })

  test('mute alerts, and end that again', async ({ makeInbox, openAdmin }) => {
    const { call } = await openAdmin(makeInbox())
    const until = new Date(Date.now() + 3_600_000).toISOString()

    const muted = await call('POST', '/alert-mutes', { body: { rule: 'lag', until, why: 'maintenance' } })
    const [{ id }] = muted.body.items
    const wrong = await call('POST', '/alert-mutes', { body: { rule: 'lagg', until, why: 'maintenance' } })

    expect(muted).toMatchObject({
      status: 201,
      body: { items: [{ rule: 'lag', by: 'the admin', why: 'maintenance' }] },
    })
    expect(wrong).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('there are') } } })
    expect((await call('DELETE', `/alert-mutes/${id}`)).status).toBe(204)
    expect((await call('GET', '/alert-mutes')).body).toEqual({ items: [] })
    expect((await call('DELETE', `/alert-mutes/${id}`)).status).toBe(404)
    expect((await call('GET', '/audit')).body.items.map((one: { outcome: string }) => one.outcome)).toEqual([
      'refused',
      'done',
      'failed',
      'done',
    ])
  })
})
