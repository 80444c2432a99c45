import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { Redact, WebhookEvent } from '../../src/index.ts'
import type { MakeStore } from '../store/store-under-test.ts'
import { batches, card, email, order, orderPaths, signed, storedText, testWithInbox } from './private-inbox.ts'

/** What the option `redact` promises, on any store. */
export function describeRedaction<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithInbox(makeStore)

  describe('a redacted event', () => {
    test('leaves nothing that is named in any column, whatever happens to it', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: orderPaths } })
      let isMended = false
      inbox.on('shop', 'order.*', () => {
        if (!isMended) throw new Error('not today')
      })

      await inbox.receive('shop', signed('evt_1'))
      await inbox.receive('shop', signed('evt_1'))
      await inbox.receive('shop', signed('evt_1', order('evt_1').replace('12345', '54321')))
      await inbox.receive('shop', signed('evt_2', order('evt_2'), { type: 'refund.made' }))
      await inbox.drain()
      await inbox.drain()
      expect(await inbox.receipts.find({ status: 'failed' })).toHaveLength(1)
      isMended = true
      await inbox.replay({ status: 'failed' }, { by: 'ada', why: 'it is mended' })
      await inbox.drain()

      expect(await inbox.receipts.find()).toMatchObject([{ status: 'ignored' }, { status: 'processed', deliveries: 3 }])
      expect(await subject.leaks()).toEqual([])
      expect(await subject.rows()).toContain(Buffer.from('"[redacted]"').toString('hex'))
    })

    test('leaves nothing that is named when another handler is watched that processes it', async ({ subject }) => {
      const inbox = subject.inbox({ redact: orderPaths })

      const call = inbox.shadow.begin('shop')
      call.delivered(signed('evt_1'))
      call.ended({ ending: 'answered', status: 200 })
      await inbox.shadow.flush()

      expect(await inbox.receipts.find()).toMatchObject([{ eventId: 'evt_1', origin: 'shadow' }])
      expect(await storedText(inbox, 'evt_1')).toContain('"total":12345678901234567890.10')
      expect(await subject.leaks()).toEqual([])
    })

    test('keeps every other byte, and the hash of the original', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: orderPaths } })

      await inbox.receive('shop', signed('evt_1'))

      const expected = order('evt_1')
        .replace(`{"number":"${card}"}`, '"[redacted]"')
        .replaceAll(`"${email}"`, '"[redacted]"')
      expect(await storedText(inbox, 'evt_1')).toBe(expected)
      const [receipt] = await inbox.receipts.find()
      expect(receipt?.bodyHash).toBe(createHash('sha256').update(order('evt_1')).digest('hex'))
    })

    test('is the same event when it comes again, and another body of it is still noticed', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: orderPaths } }).on('shop', '*', () => {})

      const outcomes = [
        await inbox.receive('shop', signed('evt_1')),
        await inbox.receive('shop', signed('evt_1')),
        await inbox.receive('shop', signed('evt_1', order('evt_1').replace(card, '4111111111111111'))),
      ]

      expect(outcomes).toMatchObject([
        { kind: 'accepted' },
        { kind: 'duplicate', isMutated: false },
        { kind: 'duplicate', isMutated: true },
      ])
    })

    test('is known by its original bytes when they come again under another id', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: ['order'], replayedBody: 'duplicate' } }).on('shop', '*', () => {})
      const other = order('evt_1').replace(card, '4111111111111111')

      const outcomes = [
        await inbox.receive('shop', signed('evt_1', order('evt_1'))),
        await inbox.receive('shop', signed('evt_2', order('evt_1'))),
        await inbox.receive('shop', signed('evt_3', other)),
      ]

      expect(outcomes).toMatchObject([
        { kind: 'accepted' },
        { kind: 'duplicate', repeatsEventId: 'evt_1' },
        { kind: 'accepted' },
      ])
    })

    test('is whole for inline handlers, and says what is missing to queued ones', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: orderPaths } })
      const seen: unknown[] = []
      const look = ({ redacted, payload }: WebhookEvent): void =>
        void seen.push({ redacted, number: payload.order.card.number, email: payload.order.lines[1].email })
      inbox.on('shop', '*', look, { mode: 'inline', name: 'at once' })
      inbox.on('shop', '*', look, { mode: 'queued', name: 'later' })

      await inbox.receive('shop', signed('evt_1'))
      await inbox.drain()

      expect(seen).toEqual([
        { redacted: [], number: card, email },
        { redacted: orderPaths, number: undefined, email: '[redacted]' },
      ])
      expect(await subject.leaks()).toEqual([])
    })

    test('that an inline handler failed at is redacted when the queue takes it over', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: orderPaths, whenInlineFails: 'queue', mode: 'inline' } })
      const seen: string[] = []
      inbox.on('shop', '*', ({ payload }) => {
        seen.push(payload.order.lines[0].email)
        if (seen.length === 1) throw new Error('not yet')
      })

      await inbox.receive('shop', signed('evt_1'))
      await inbox.drain()

      expect(seen).toEqual([email, '[redacted]'])
      expect(await subject.leaks()).toEqual([])
    })

    test('is not quoted by what an inline handler throws', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: orderPaths, mode: 'inline', whenInlineFails: 'queue' } })
      inbox.on('shop', '*', ({ payload }) => {
        throw new Error(`no account for ${payload.order.lines[0].email}, card ${payload.order.card.number}, order o-1`)
      })

      await inbox.receive('shop', signed('evt_1'))

      expect(await inbox.receipts.find()).toMatchObject([
        { lastError: 'Error: no account for [redacted], card [redacted], order o-1' },
      ])
      expect(await subject.leaks()).toEqual([])
      expect(JSON.stringify(inbox.told)).not.toContain(card)
    })

    test('says what a replay will not see', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: orderPaths } })
      inbox.on('shop', '*', () => {})
      await inbox.receive('shop', signed('evt_1'))
      await inbox.receive('shop', signed('evt_2', '{"order":null}'))
      await inbox.drain()

      const previews = await inbox.replay({ status: 'processed' }, { preview: true })
      const replayed = await inbox.replay({ status: 'processed' }, { by: 'ada', why: 'again' })

      expect(previews.map(({ eventId, redacted }) => [eventId, redacted])).toEqual([
        ['evt_2', []],
        ['evt_1', orderPaths],
      ])
      expect(inbox.told.flatMap((event) => (event.kind === 'notice' ? [event.message] : []))).toContain(
        `Of 2 replayed events 1 were redacted when they came: their handlers do not see ${orderPaths.join(', ')}.`,
      )
      const [first] = await inbox.receipts.find({ eventId: 'evt_1' })
      expect(await inbox.receipts.redactions(replayed)).toEqual([
        { receiptId: first?.id, redaction: { paths: orderPaths } },
      ])
    })
  })

  describe('a redacted batch', () => {
    const items = ['click', 'open'].map((event) => ({ event, email, sg_event_id: event, timestamp: 1 }))
    const delivery = batches.sign({ body: JSON.stringify(items) }, new Date())

    test('has every event of it redacted', async ({ subject }) => {
      const inbox = subject.inbox({ batches: { redact: ['[*].email'] } })
      const seen: string[] = []
      inbox.on('batches', '*', ({ payload, redacted }) => {
        seen.push(`${payload.event} of ${payload.email} without ${redacted.join(', ')}`)
      })

      const outcome = await inbox.receive('batches', delivery)
      await inbox.drain()

      expect(outcome).toMatchObject({ kind: 'batch' })
      expect(seen.toSorted()).toEqual(['click of [redacted] without [*].email', 'open of [redacted] without [*].email'])
      expect(await subject.leaks()).toEqual([])
    })

    test('of which one event was left out has a dead letter that says so', async ({ subject }) => {
      const inbox = subject.inbox({ batches: { redact: ['[1]'] } })
      inbox.on('batches', '*', ({ payload }) => String(payload.event))

      await inbox.receive('batches', delivery)
      await inbox.drain()

      expect(await inbox.receipts.find({ status: 'failed' })).toMatchObject([
        { type: 'open', attempts: 1, lastError: expect.stringContaining('[1] was left out, and this event was in it') },
      ])
      expect(await inbox.receipts.find({ status: 'processed' })).toMatchObject([{ type: 'click' }])
    })
  })

  describe('a body that cannot be redacted', () => {
    const cases: readonly (readonly [string, Redact, string | Uint8Array, string])[] = [
      ['is XML', orderPaths, `<card>${card}</card>`, 'neither JSON nor a form'],
      ['is broken', orderPaths, order('evt_1').slice(0, -1), 'neither JSON nor a form'],
      ['is not UTF-8', orderPaths, Buffer.from([...Buffer.from(order('1')), 0xff]), 'neither JSON nor a form'],
      ['has a function that throws', ({ document }) => document.a.b.c, order('evt_1'), 'threw a TypeError'],
      ['has a function that reads no JSON', ({ document }) => document, `not ${card}`, 'threw a OncehookError'],
      ['has an asynchronous function', async () => '', order('evt_1'), 'has to be synchronous'],
    ]

    test('is not stored at all, and its event is kept', async ({ subject }) => {
      for (const [name, redact, body, reason] of cases) {
        const inbox = subject.inbox({ shop: { redact }, environment: name.replaceAll(' ', '-') })
        const seen: unknown[] = []
        inbox.on('shop', '*', ({ body: bytes }) => void seen.push(Buffer.from(bytes)), { mode: 'inline', name: 'now' })
        inbox.on('shop', '*', ({ id, redacted }) => void seen.push({ id, redacted }), { name: 'by id' })
        inbox.on('shop', '*', ({ payload }) => void seen.push(payload), { name: 'by payload' })

        const outcome = await inbox.receive('shop', signed('evt_1', body))
        await inbox.drain()

        expect([name, outcome]).toMatchObject([name, { kind: 'processed' }])
        expect([name, ...seen]).toEqual([name, Buffer.from(body), { id: 'evt_1', redacted: ['$'] }])
        expect([name, ...(await inbox.receipts.find())]).toMatchObject([
          name,
          { status: 'failed', attempts: 1, lastError: expect.stringContaining(reason) },
        ])
        expect(inbox.told).toContainEqual({
          kind: 'notice',
          level: 'error',
          message: 'Nothing of the body of shop event evt_1 was stored, so only inline handlers see it.',
          error: expect.stringContaining(reason),
        })
        expect(await storedText(inbox, 'evt_1')).toBe('')
        expect(JSON.stringify(inbox.told)).not.toContain(card)
      }
      expect(await subject.leaks()).toEqual([])
    })
  })

  describe('a function that redacts', () => {
    test('is given the delivery, and its document is what handlers get', async ({ subject }) => {
      const given: unknown[] = []
      const inbox = subject.inbox({
        shop: {
          redact({ source, events, headers, document }) {
            given.push({
              source,
              events,
              type: headers.get('content-type'),
              authorization: headers.get('authorization'),
            })
            delete document.order
            return { ...document, note: 'kept' }
          },
        },
      })
      const seen: unknown[] = []
      inbox.on('shop', '*', ({ payload, redacted }) => void seen.push(payload, redacted))

      await inbox.receive('shop', signed('evt_1'))
      await inbox.drain()

      expect(given).toEqual([
        {
          source: 'shop',
          events: [{ id: 'evt_1', type: 'order.paid' }],
          type: 'application/json',
          authorization: undefined,
        },
      ])
      expect(seen).toEqual([{ id: 'evt_1', note: 'kept' }, ['(function)']])
      expect(await subject.leaks()).toEqual([])
    })

    test('may return a document for a body that is a form', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: ({ document }) => ({ to: document.to }) } })
      const seen: unknown[] = []
      inbox.on('shop', '*', ({ payload }) => void seen.push(payload))
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }

      await inbox.receive('shop', signed('evt_1', `to=1&card=${card}`, { headers }))
      await inbox.drain()

      expect(seen).toEqual([{ to: '1' }])
      expect(await subject.leaks()).toEqual([])
    })

    test('may return bytes, and cannot change those that others see', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { redact: ({ body }) => body.fill(0x20).subarray(0, 2) } })
      const seen: string[] = []
      inbox.on('shop', '*', ({ body }) => void seen.push(Buffer.from(body).toString()), { mode: 'inline' })

      await inbox.receive('shop', signed('evt_1'))

      expect(seen).toEqual([order('evt_1')])
      expect(await storedText(inbox, 'evt_1')).toBe('  ')
    })

    test('or a path may say that nothing is stored, which is no failure', async ({ subject }) => {
      for (const redact of [() => undefined, () => null, ['id', '$']] as const) {
        const inbox = subject.inbox({ shop: { redact }, environment: `e${String(redact).length}` })

        await inbox.receive('shop', signed('evt_1'))

        const [receipt] = await inbox.receipts.find()
        const body = await inbox.receipts.body(receipt?.id ?? '')
        expect(body).toMatchObject({ content: Buffer.alloc(0), redaction: { paths: ['$'] } })
        expect(inbox.told.filter((event) => event.kind === 'notice' && event.level === 'error')).toEqual([])
      }
      expect(await subject.leaks()).toEqual([])
    })
  })

  describe('a redaction of the inbox', () => {
    test('holds for every source that says nothing itself', async ({ subject }) => {
      const inbox = subject.inbox({ redact: ['$..email'], shop: { redact: ['id'] } })
      const delivery = batches.sign({ body: `[{"event":"open","email":"${email}","sg_event_id":"1"}]` }, new Date())

      await inbox.receive('shop', signed('evt_1'))
      await inbox.receive('batches', delivery)

      expect(await storedText(inbox, 'evt_1')).toBe(order('evt_1').replace('"evt_1"', '"[redacted]"'))
      expect(await storedText(inbox, '1')).toBe('[{"event":"open","email":"[redacted]","sg_event_id":"1"}]')
    })

    test('can be taken back for a source', async ({ subject }) => {
      const inbox = subject.inbox({ redact: ['$'], shop: { redact: [] } })

      await inbox.receive('shop', signed('evt_1'))

      expect(await storedText(inbox, 'evt_1')).toBe(order('evt_1'))
    })
  })
}
