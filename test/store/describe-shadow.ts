import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { NotedCall } from '../../src/store/shadow-store.ts'
import { claimRequest, type MakeStore, newReceipt, signedReceipt } from './store-under-test.ts'
import { testWithStore } from './test-with-store.ts'

/** What is seen of a handler that is not ours. */
export function describeShadow<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithStore(makeStore)
  const at = new Date('2026-01-01T10:00:00.250Z')
  const scope = { environment: 'test', source: 'stripe', since: at }

  function call(parts: Partial<NotedCall> = {}): NotedCall {
    return {
      id: randomUUID(),
      place: 0,
      environment: 'test',
      source: 'stripe',
      eventId: 'evt_1',
      type: 'invoice.paid',
      verdict: 'authentic',
      reason: undefined,
      worker: 'web-1',
      startedAt: at,
      ended: { at: new Date(at.getTime() + 1500), ending: 'answered', status: 200 },
      deliveries: 1,
      ...parts,
    }
  }

  describe('the shadow', () => {
    test('keeps when a call began and how it ended, whichever is written when', async ({ subject }) => {
      const { shadow } = subject.store
      const first = call({ ended: undefined })
      const later = call({ startedAt: new Date(at.getTime() + 5000), ended: undefined, worker: 'web-\u0000' })

      await shadow.noteCalls([first, later])
      await shadow.noteCalls([
        { ...first, ended: { at: new Date(at.getTime() + 10), ending: 'failed', status: undefined } },
      ])
      await shadow.noteCalls([first])
      const events = await shadow.readEvents({ ...scope, after: undefined, limit: 10 })

      expect(events).toEqual([
        {
          eventId: 'evt_1',
          type: 'invoice.paid',
          calls: [
            {
              startedAt: at,
              endedAt: new Date(at.getTime() + 10),
              ending: 'failed',
              status: undefined,
              worker: 'web-1',
            },
            {
              startedAt: later.startedAt,
              endedAt: undefined,
              ending: undefined,
              status: undefined,
              worker: 'web-\ufffd',
            },
          ],
        },
      ])
    })

    test('reads events page by page, of one source, environment and time', async ({ subject }) => {
      const { shadow } = subject.store
      const batch = randomUUID()
      await shadow.noteCalls([
        call({ id: batch, eventId: 'evt_1' }),
        call({ id: batch, place: 1, eventId: 'evt_2' }),
        call({ eventId: 'evt_3' }),
        call({ eventId: 'evt_4', source: 'github' }),
        call({ eventId: 'evt_5', environment: 'live' }),
        call({ eventId: 'evt_6', startedAt: new Date(at.getTime() - 1) }),
      ])

      const first = await shadow.readEvents({ ...scope, after: undefined, limit: 2 })
      const rest = await shadow.readEvents({ ...scope, after: 'evt_2', limit: 2 })

      expect([...first, ...rest].map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_2', 'evt_3'])
      expect(await shadow.countDeliveries(scope)).toEqual([{ verdict: 'authentic', isAccepted: true, deliveries: 2 }])
    })

    test('counts and names what should not have been believed', async ({ subject }) => {
      const { shadow } = subject.store
      const stranger = { eventId: undefined, type: undefined, verdict: 'forged', reason: 'token_mismatch' } as const
      const refused = { at, ending: 'answered', status: 401 } as const
      await shadow.noteCalls([
        call(stranger),
        call({ ...stranger, ended: refused }),
        call({ ...stranger, verdict: 'missed', reason: undefined, ended: undefined, deliveries: 7 }),
      ])

      expect(await shadow.countDeliveries(scope)).toEqual([
        { verdict: 'forged', isAccepted: false, deliveries: 1 },
        { verdict: 'forged', isAccepted: true, deliveries: 1 },
        { verdict: 'missed', isAccepted: false, deliveries: 7 },
      ])
      expect(await shadow.findAcceptedForgeries(scope, 5)).toEqual([
        { at, reason: 'token_mismatch', status: 200, worker: 'web-1' },
      ])
    })

    test('records what was processed as something that nobody has to do, and leaves alone what is known', async ({
      subject,
    }) => {
      const { store, schema, query } = subject
      await store.recordReceipts([newReceipt({ eventId: 'evt_1' })])
      const seen = [
        newReceipt({ eventId: 'evt_1', disposition: 'ignored' }),
        newReceipt({ eventId: 'evt_2', disposition: 'ignored' }),
        signedReceipt('evt_3', '{}', { disposition: 'ignored' }),
      ]

      expect(await store.shadow.recordProcessed(seen)).toEqual([])
      expect(await store.shadow.recordProcessed(seen)).toEqual([])

      expect(
        await query(`select event_id, origin, status, processed_at is not null as is_over
          from "${schema}".receipts order by event_id`),
      ).toEqual([
        { event_id: 'evt_1', origin: null, status: 'received', is_over: false },
        { event_id: 'evt_2', origin: 'shadow', status: 'processed', is_over: true },
        { event_id: 'evt_3', origin: 'shadow', status: 'processed', is_over: true },
      ])
      const claims = await store.claim(claimRequest({ sources: ['stripe', 'github'] }))
      expect(claims).toHaveLength(1)
    })
  })
}
