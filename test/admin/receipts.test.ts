import { describe, expect } from 'vitest'
import { stripeDelivery } from '../support/inbox.ts'
import { test } from './open-admin.ts'

describe('receipts', () => {
  test('are listed page by page, newest first', async ({ makeInbox, openAdmin }) => {
    const { call, inbox } = await openAdmin(makeInbox())
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await inbox.receive('stripe', stripeDelivery(id))

    const first = await call('GET', '/receipts?limit=2')
    const second = await call('GET', `/receipts?limit=2&cursor=${first.body.next}`)

    expect(first.body.items.map((one: { eventId: string }) => one.eventId)).toEqual(['evt_3', 'evt_2'])
    expect(second.body).toMatchObject({ items: [{ eventId: 'evt_1', status: 'ignored' }], next: null })
  })

  test('show what was stored, without signatures', async ({ makeInbox, openAdmin }) => {
    const { call, inbox } = await openAdmin(makeInbox())
    await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', { amount: 7 }))
    const [receipt] = await inbox.receipts.find()

    const body = await call('GET', `/receipts/${receipt?.id}/body`)

    expect(JSON.parse(body.body.text)).toMatchObject({ id: 'evt_1' })
    expect(Buffer.from(body.body.base64, 'base64').toString()).toBe(body.body.text)
    expect(JSON.stringify(body.body.headers)).not.toContain('signature')
    expect((await call('GET', '/receipts/999')).status).toBe(404)
  })

  test('are replayed with a reason, which the timeline and the audit log keep', async ({ makeInbox, openAdmin }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } })
    let isBroken = true
    inbox.on('stripe', '*', async () => {
      if (isBroken) throw new Error('broken')
    })
    const { call } = await openAdmin(inbox)
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()
    isBroken = false

    const dead = await call('GET', '/receipts?status=failed')
    const [{ id }] = dead.body.items
    const preview = await call('POST', '/receipts/preview', { body: { ids: [id] } })
    const replay = await call('POST', '/receipts/replay', { body: { ids: [id], why: 'mended' } })
    await inbox.drain()

    expect(preview.body.items).toMatchObject([{ receiptId: id, handlers: [{ would: 'succeed' }] }])
    expect(replay).toMatchObject({ status: 200, body: { ids: [id] } })
    expect((await inbox.receipts.get(id))?.status).toBe('processed')
    const timeline = await call('GET', `/receipts/${id}/timeline`)
    expect(timeline.body.items).toContainEqual(
      expect.objectContaining({ kind: 'replay', by: 'the admin', why: 'mended' }),
    )
    expect((await call('GET', '/audit')).body.items).toMatchObject([
      {
        by: 'the admin',
        role: 'admin',
        action: 'receipts.replay',
        target: id,
        why: 'mended',
        outcome: 'done',
        detail: { ids: [id] },
      },
    ])
  })
})
