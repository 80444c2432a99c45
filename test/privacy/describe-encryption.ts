import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { Encryption, OutgoingMessage, WebhookEvent } from '../../src/index.ts'
import { handler } from '../../src/targets/handler.ts'
import type { MakeStore } from '../store/store-under-test.ts'
import {
  batches,
  card,
  email,
  order,
  orderPaths,
  type PrivateInbox,
  type PrivateSubject,
  signed,
  storedText,
  testWithInbox,
} from './private-inbox.ts'

const keys = { old: randomBytes(32), new: randomBytes(32) }
const underOld: Encryption = { keys: { old: keys.old }, current: 'old' }
const underNew: Encryption = { keys, current: 'new' }
const onlyNew: Encryption = { keys: { new: keys.new }, current: 'new' }
const wrongKey: Encryption = { keys: { old: randomBytes(32) }, current: 'old' }

/** A header that nobody could know to be private. */
const headers = { 'x-customer': email }

/** What the option `encryption` promises, on any store. */
export function describeEncryption<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithInbox(makeStore)

  describe('an encrypted event', () => {
    test('leaves nothing of its body and headers in any column, whatever happens to it', async ({ subject }) => {
      const sent: OutgoingMessage[] = []
      const inbox = subject.inbox({
        encryption: underOld,
        targets: { mail: handler(async (_, message) => void sent.push({ ...message } as never)) },
      })
      let isMended = false
      inbox.on('shop', 'order.*', async ({ payload }, { once, outbox }) => {
        const [line] = payload.order.lines
        await once(`receipt:${payload.id}`, () => ({ to: line.email }))
        await outbox.add('mail', { to: line.email, card: payload.order.card })
        if (!isMended) throw new Error('not today')
      })

      await inbox.receive('shop', signed('evt_1', order('evt_1'), { headers }))
      await inbox.receive('shop', signed('evt_1', order('evt_1'), { headers }))
      await inbox.receive('shop', signed('evt_1', order('evt_1').replace('12345', '54321'), { headers }))
      await inbox.receive('shop', signed('evt_2', order('evt_2'), { type: 'refund.made', headers }))
      await inbox.drain()
      await inbox.drain()
      expect(await inbox.receipts.find({ status: 'failed' })).toHaveLength(1)
      isMended = true
      await inbox.replay({ status: 'failed' }, { by: 'ada', why: 'it is mended' })
      await inbox.drain()

      expect(await inbox.receipts.find()).toMatchObject([{ status: 'ignored' }, { status: 'processed', deliveries: 3 }])
      expect(sent).toHaveLength(1)
      expect(await subject.leaks()).toEqual([])
    })

    test('leaves nothing when several share a commit', async ({ subject }) => {
      const inbox = subject.inbox({ encryption: underOld })
      inbox.on('shop', '*', () => {}, { mode: 'inline', commit: 'shared' })

      const ids = Array.from({ length: 12 }, (_, index) => `evt_${index}`)
      await Promise.all(ids.map((id) => inbox.receive('shop', signed(id, order(id), { headers }))))

      expect(await inbox.receipts.find({ status: 'processed' })).toHaveLength(12)
      expect(await subject.leaks()).toEqual([])
    })

    test('leaves nothing when another handler is watched that processes it', async ({ subject }) => {
      const inbox = subject.inbox({ encryption: underOld })

      const call = inbox.shadow.begin('shop')
      call.delivered(signed('evt_1', order('evt_1'), { headers }))
      call.ended({ ending: 'answered', status: 200 })
      await inbox.shadow.flush()

      expect(await inbox.receipts.find()).toMatchObject([{ eventId: 'evt_1', origin: 'shadow', status: 'processed' }])
      expect(await storedText(inbox, 'evt_1')).toBe(order('evt_1'))
      expect(await subject.leaks()).toEqual([])
    })

    test('is whole again for whoever has the key', async ({ subject }) => {
      const inbox = subject.inbox({ encryption: underOld })
      const seen: unknown[] = []
      const look = ({ body, headers: kept }: WebhookEvent): void =>
        void seen.push(Buffer.from(body).toString(), kept.get('x-customer'))
      inbox.on('shop', '*', look, { mode: 'inline', name: 'at once' })
      inbox.on('shop', '*', look, { mode: 'queued', name: 'later' })

      await inbox.receive('shop', signed('evt_1', order('evt_1'), { headers }))
      await inbox.drain()

      expect(seen).toEqual([order('evt_1'), email, order('evt_1'), email])
      const [receipt] = await inbox.receipts.find()
      const body = await inbox.receipts.body(receipt?.id ?? '')
      expect(Buffer.from(body?.content ?? []).toString()).toBe(order('evt_1'))
      expect(body?.headers).toContainEqual(['x-customer', email])
      expect(await inbox.replay({ status: 'processed' }, { preview: true })).toMatchObject([
        { handlers: [{ would: 'succeed' }, { would: 'succeed' }] },
      ])
    })

    test('of a batch shares one body', async ({ subject }) => {
      const inbox = subject.inbox({ encryption: underOld })
      const seen: string[] = []
      inbox.on('batches', '*', ({ payload }) => void seen.push(payload.event))
      const items = ['click', 'open'].map((event) => ({ event, email, sg_event_id: event, timestamp: 1 }))

      await inbox.receive('batches', batches.sign({ body: JSON.stringify(items) }, new Date()))
      await inbox.drain()

      expect(seen.toSorted()).toEqual(['click', 'open'])
      expect(await subject.query(`select id from "${subject.schema}".bodies`)).toHaveLength(1)
    })

    test('may be redacted as well, and says so even without the key', async ({ subject }) => {
      const redacting = subject.inbox({ encryption: underOld, shop: { redact: orderPaths } })
      await redacting.receive('shop', signed('evt_1'))

      expect(await storedText(redacting, 'evt_1')).not.toContain(card)
      const [receipt] = await redacting.receipts.find()
      expect(await subject.inbox().receipts.redactions([receipt?.id ?? ''])).toMatchObject([
        { redaction: { paths: orderPaths } },
      ])
    })
  })

  describe('keys', () => {
    test('may change: each event is read with its own, and those from before any key as they are', async ({
      subject,
    }) => {
      for (const [id, encryption] of [['evt_plain'], ['evt_old', underOld], ['evt_new', underNew]] as const) {
        const options = encryption === undefined ? {} : { encryption }
        await subject
          .inbox({ ...options, environment: 'e' })
          .on('shop', '*', () => {})
          .receive('shop', signed(id))
      }
      const inbox = subject.inbox({ encryption: underNew, environment: 'e' })
      const seen: string[] = []
      inbox.on('shop', '*', ({ payload }) => void seen.push(payload.id))

      await inbox.drain()

      expect(seen.toSorted()).toEqual(['evt_new', 'evt_old', 'evt_plain'])
      expect(await keyIds(subject)).toEqual([null, 'new', 'old'])
    })

    for (const [name, encryption] of [
      ['is missing', onlyNew],
      ['cannot be known, as there is no option', undefined],
    ] as const) {
      test(`that ${name} makes its events wait, uncounted, until it is there`, async ({ subject }) => {
        await received(subject.inbox({ encryption: underOld }), 'evt_1')
        const runs: unknown[] = []
        const read = ({ payload }: WebhookEvent): void => void runs.push(payload.id)
        const inbox = subject.inbox(encryption === undefined ? {} : { encryption })
        inbox.on('shop', '*', read)

        const report = await inbox.drain()
        const [waiting] = await inbox.receipts.find()
        const rejected = inbox.receipts.body(waiting?.id ?? '')

        await expect(rejected).rejects.toMatchObject({ code: 'ONCEHOOK_ENCRYPTION_KEY_UNAVAILABLE' })
        expect(report).toMatchObject({ deferred: 1 })
        expect(waiting).toMatchObject({ status: 'received', attempts: 0 })
        expect(await lastAttempt(inbox)).toMatchObject({
          outcome: 'deferred',
          error: expect.stringMatching(/encrypted with the key "old".*(not among|no option)/),
        })
        await subject.query(`update "${subject.schema}".queue set due_at = now()`)
        await subject.inbox({ encryption: underNew }).on('shop', '*', read).drain()
        expect(runs).toEqual(['evt_1'])
        expect(await inbox.receipts.find()).toMatchObject([{ status: 'processed' }])
      })
    }

    test('may be fetched; while they cannot be, nothing is taken and nothing is stored', async ({ subject }) => {
      let isAway = true
      let now = Date.now()
      const asked: string[] = []
      const inbox = subject.inbox({
        clock: { now: () => new Date(now), wait: systemClock.wait },
        encryption: {
          current: 'old',
          async keys(keyId) {
            asked.push(keyId)
            if (isAway) throw new Error('the service is away')
            return keys.old
          },
        },
      })
      inbox.on('shop', '*', ({ payload }) => payload)

      expect(await inbox.receive('shop', signed('evt_1'))).toMatchObject({ kind: 'unavailable', reason: 'store' })
      expect(await inbox.receipts.find()).toEqual([])
      isAway = false
      now += 10_000
      expect(await inbox.receive('shop', signed('evt_1'))).toMatchObject({ kind: 'accepted' })
      expect(await inbox.drain()).toMatchObject({ processed: 1 })
      expect(asked).toEqual(['old', 'old'])
    })
  })

  describe('a row that was tampered with', () => {
    const content = (sql: string) => (schema: string) =>
      `update "${schema}".bodies as body set content = ${sql} where ${bodyOf(schema, 'evt_1')}`
    const tampering: readonly (readonly [string, (schema: string) => string])[] = [
      ['a bit of it is changed', content('set_byte(content, 40, get_byte(content, 40) # 1)')],
      ['its end is cut off', content('substring(content for 60)')],
      ['nothing is left of it', content(`''::bytea`)],
      ['it has the bytes of another', (schema) => content(contentOf(schema, 'evt_2'))(schema)],
      [
        'its receipt points to another body',
        (schema) => `update "${schema}".receipts set body_id = other.body_id, received_at = other.received_at
          from "${schema}".receipts as other where receipts.event_id = 'evt_1' and other.event_id = 'evt_2'`,
      ],
      [
        'it says that it was redacted',
        (
          schema,
        ) => `update "${schema}".bodies as body set headers = replace(headers, '"headers"', '"redaction":{"paths":[]},"headers"')
          where ${bodyOf(schema, 'evt_1')}`,
      ],
      [
        'its receipt is said to be of another source',
        (schema) => `update "${schema}".receipts set source = 'batches' where event_id = 'evt_1'`,
      ],
    ]

    test('is refused with a clear error, and its event is kept', async ({ subject }) => {
      for (const [index, [name, change]] of tampering.entries()) {
        const environment = `e${index}`
        const inbox = subject.inbox({ encryption: underOld, environment })
        const read: string[] = []
        inbox.on('shop', '*', ({ payload }) => void read.push(payload.id))
        inbox.on('batches', '*', ({ payload }) => void read.push(payload.id))
        await inbox.receive('shop', signed('evt_1'))
        await inbox.receive('shop', signed('evt_2'))
        await subject.query(change(subject.schema))

        await inbox.drain()
        await inbox.drain()

        const [receipt] = await inbox.receipts.find({ eventId: 'evt_1' })
        expect([name, read]).toEqual([name, ['evt_2']])
        expect([name, receipt]).toMatchObject([
          name,
          {
            status: 'failed',
            attempts: 2,
            lastError: expect.stringContaining('cannot be decrypted with the key "old"'),
          },
        ])
        await expect(inbox.receipts.body(receipt?.id ?? '')).rejects.toMatchObject({ code: 'ONCEHOOK_CANNOT_DECRYPT' })
        await subject.query(`delete from "${subject.schema}".receipts`)
        await subject.query(`delete from "${subject.schema}".bodies`)
      }
    })

    test('can be restored, and its event replayed', async ({ subject }) => {
      const inbox = subject.inbox({ encryption: underOld })
      const read: string[] = []
      inbox.on('shop', '*', ({ payload }) => void read.push(payload.id))
      await inbox.receive('shop', signed('evt_1'))
      const flip = content('set_byte(content, 40, get_byte(content, 40) # 1)')(subject.schema)
      await subject.query(flip)
      await inbox.drain()
      await inbox.drain()

      await subject.query(flip)
      await inbox.replay({ status: 'failed' }, { by: 'ada', why: 'restored' })
      await inbox.drain()

      expect(read).toEqual(['evt_1'])
    })

    test('and a wrong key are the same: nothing runs, and the right key mends it', async ({ subject }) => {
      await received(subject.inbox({ encryption: underOld }), 'evt_1')
      const runs: string[] = []
      const wrong = subject.inbox({ encryption: wrongKey }).on('shop', '*', ({ payload }) => void runs.push(payload.id))
      await wrong.drain()
      await wrong.drain()
      expect(await wrong.receipts.find()).toMatchObject([{ status: 'failed' }])

      const right = subject.inbox({ encryption: underOld }).on('shop', '*', ({ payload }) => void runs.push(payload.id))
      await right.replay({ status: 'failed' }, { by: 'ada', why: 'the key was wrong' })
      await right.drain()

      expect(runs).toEqual(['evt_1'])
    })
  })

  describe('results and messages', () => {
    test('of effects are given to who comes second, with the key', async ({ subject }) => {
      const results: unknown[] = []
      const inbox = subject.inbox({ encryption: underOld })
      inbox.on('shop', '*', async ({ payload }, { once }) => {
        results.push(await once('shared', () => ({ by: payload.id, card })))
      })
      await inbox.receive('shop', signed('evt_1'))
      await inbox.receive('shop', signed('evt_2'))

      await inbox.drain({ limit: 1 })
      await inbox.drain({ limit: 1 })

      expect(results).toEqual([
        { applied: true, result: { by: 'evt_1', card } },
        { applied: false, result: { by: 'evt_1', card } },
      ])
      const [first] = await inbox.receipts.find({ eventId: 'evt_1' })
      const timeline = await inbox.receipts.timeline(first?.id ?? '')
      expect(timeline).toContainEqual(
        expect.objectContaining({ kind: 'effect', result: JSON.stringify({ by: 'evt_1', card }) }),
      )
      expect(await subject.leaks()).toEqual([])
    })

    test('of effects are no results to who has no key: the event waits', async ({ subject }) => {
      const first = subject.inbox({ encryption: underOld }).on('shop', '*', (_, { once }) => once('shared', () => card))
      await first.receive('shop', signed('evt_1'))
      await first.drain()
      const results: unknown[] = []
      const second = subject.inbox().on('shop', '*', async (_, { once }) => {
        results.push(await once('shared', () => card))
      })
      await second.receive('shop', signed('evt_2'))

      expect(await second.drain()).toMatchObject({ deferred: 1, processed: 0 })
      expect(results).toEqual([])
    })

    test('wait for their key, and are never sent as they lie there', async ({ subject }) => {
      const arrived: unknown[] = []
      const targets = { mail: handler(async (message) => void arrived.push(message)) }
      const add = (
        _: WebhookEvent,
        { outbox }: { outbox: { add: (target: string, message: unknown) => Promise<unknown> } },
      ) => outbox.add('mail', { card })
      const writer = subject.inbox({ encryption: underOld, targets }).on('shop', '*', add, { mode: 'inline' })
      await writer.receive('shop', signed('evt_1'))

      const keyless = subject.inbox({ targets })
      const report = await keyless.drain()

      expect(report).toMatchObject({ published: 0 })
      expect(arrived).toEqual([])
      expect(await keyless.messages.find()).toMatchObject([
        {
          status: 'pending',
          lastError: expect.stringContaining('encrypted with the key "old", and this inbox has no option'),
        },
      ])
      await subject.query(`update "${subject.schema}".outbox set due_at = now()`)
      await subject.inbox({ encryption: underNew, targets }).drain()
      expect(arrived).toEqual([{ card }])
    })

    test('that were moved to another message are dead letters in the end, and not sent', async ({ subject }) => {
      const arrived: unknown[] = []
      const targets = { mail: handler(async (message) => void arrived.push(message)) }
      const inbox = subject.inbox({ encryption: underOld, targets })
      inbox.on('shop', '*', ({ id }, { outbox }) => outbox.add('mail', { id }, { key: id }), { mode: 'inline' })
      await inbox.receive('shop', signed('evt_1'))
      await inbox.receive('shop', signed('evt_2'))
      const { schema } = subject
      await subject.query(
        `update "${schema}".outbox set message = other.message from "${schema}".outbox as other
         where outbox.key = 'evt_1' and other.key = 'evt_2'`,
      )

      for (let round = 0; round < 2; round += 1) {
        await subject.query(`update "${schema}".outbox set due_at = now() where status = 'pending'`)
        await inbox.drain()
      }

      expect(arrived).toEqual([{ id: 'evt_2' }])
      expect(await inbox.messages.find({ key: 'evt_1' })).toMatchObject([
        { status: 'failed', lastError: expect.stringContaining('cannot be decrypted') },
      ])
    })
  })
}

async function received<Tx>(inbox: PrivateInbox<Tx>, id: string): Promise<void> {
  inbox.on('shop', '*', () => {})
  await inbox.receive('shop', signed(id))
}

async function lastAttempt<Tx>(inbox: PrivateInbox<Tx>): Promise<unknown> {
  const [receipt] = await inbox.receipts.find()
  const timeline = await inbox.receipts.timeline(receipt?.id ?? '')
  return timeline.flatMap((entry) => (entry.kind === 'attempt' ? [entry.attempt] : [])).at(-1)
}

/** The keys of all bodies; null for one in the clear. */
async function keyIds<Tx>({ query, schema }: PrivateSubject<Tx>): Promise<readonly (string | null)[]> {
  const rows = await query<{ readonly key: string | null }>(
    `select case when headers like '{%' then headers::json->>'keyId' end as key from "${schema}".bodies order by 1 nulls first`,
  )
  return rows.map(({ key }) => key)
}

function bodyOf(schema: string, eventId: string): string {
  return `body.id = (select body_id from "${schema}".receipts where event_id = '${eventId}')`
}

function contentOf(schema: string, eventId: string): string {
  return `(select content from "${schema}".bodies where id = (select body_id from "${schema}".receipts where event_id = '${eventId}'))`
}
