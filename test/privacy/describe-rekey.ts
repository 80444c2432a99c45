import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { Encryption, WebhookEvent } from '../../src/index.ts'
import { handler } from '../../src/targets/handler.ts'
import type { MakeStore } from '../store/store-under-test.ts'
import { batches, card, order, orderPaths, type PrivateSubject, signed, testWithInbox } from './private-inbox.ts'

const keys = { old: randomBytes(32), new: randomBytes(32) }
const underOld: Encryption = { keys: { old: keys.old }, current: 'old' }
const underNew: Encryption = { keys, current: 'new' }
const onlyNew: Encryption = { keys: { new: keys.new }, current: 'new' }

/** What `inbox.rekey()` promises, on any store. */
export function describeRekey<Tx>(makeStore: MakeStore<Tx>): void {
  const test = testWithInbox(makeStore)

  describe('rekey', () => {
    test('puts everything under the current key, and all of it can be used with that one alone', async ({
      subject,
    }) => {
      await fill(subject, 'plain', undefined)
      await fill(subject, 'old', underOld)
      const inbox = subject.inbox({ encryption: underNew })

      const report = await inbox.rekey()

      expect(report).toMatchObject({ bodies: 8, messages: 2, results: 2, unreadable: 0, isComplete: true })
      expect(await keysInUse(subject)).toEqual(['new'])
      expect(await subject.leaks()).toEqual([])
      const seen: string[] = []
      const sent: unknown[] = []
      const reader = subject.inbox({
        encryption: onlyNew,
        targets: { mail: handler(async (message) => void sent.push(message)) },
      })
      reader.on('shop', 'order.*', ({ id, body, redacted }) => {
        seen.push(`${id} ${Buffer.from(body).toString() === order(id) ? 'whole' : redacted.join(' and ')}`)
      })
      reader.on('batches', '*', ({ payload }) => void seen.push(payload.sg_event_id))
      reader.on('shop', 'second', async ({ id }, { once }) => {
        const { applied, result } = await once(`effect of ${id.slice(7)}`, () => 'nothing')
        seen.push(`${id} ${applied} ${result}`)
      })
      for (const name of ['plain', 'old'])
        await reader.receive('shop', signed(`second-${name}`, '{}', { type: 'second' }))
      await reader.drain()
      expect(seen.toSorted()).toEqual([
        'old click',
        'old open',
        `old-redacted ${orderPaths.join(' and ')}`,
        'old-whole whole',
        'plain click',
        'plain open',
        `plain-redacted ${orderPaths.join(' and ')}`,
        'plain-whole whole',
        `second-old false ${card}`,
        `second-plain false ${card}`,
      ])
      expect(sent).toEqual([{ card }, { card }])
    })

    test('has nothing to do the second time', async ({ subject }) => {
      await fill(subject, 'old', underOld)
      const inbox = subject.inbox({ encryption: underNew })
      await inbox.rekey()
      const before = await subject.rows()

      expect(await inbox.rekey()).toMatchObject({ bodies: 0, messages: 0, results: 0, isComplete: true })
      expect(await subject.rows()).toBe(before)
    })

    test('can be stopped after any batch, and goes on with what is left', async ({ subject }) => {
      await fill(subject, 'old', underOld)
      const inbox = subject.inbox({ encryption: underNew })
      const abort = new AbortController()

      const stopped = await inbox.rekey({ signal: abort.signal, onProgress: () => abort.abort() })
      const betweenKeys = await keysInUse(subject)
      const rest = await inbox.rekey()

      expect(stopped).toMatchObject({ isComplete: false, bodies: 4, messages: 0, results: 0 })
      expect(betweenKeys).toEqual(['new', 'old'])
      expect(rest).toMatchObject({ isComplete: true, bodies: 0, messages: 1, results: 1 })
      expect(await keysInUse(subject)).toEqual(['new'])
    })

    test('leaves alone what it cannot read, counts it, and says why', async ({ subject }) => {
      await fill(subject, 'old', underOld)
      const inbox = subject.inbox({ encryption: onlyNew })
      const before = await subject.rows()

      const report = await inbox.rekey()

      expect(report).toMatchObject({ bodies: 0, messages: 0, results: 0, unreadable: 6, isComplete: true })
      expect(report.problems[0]).toContain('encrypted with the key "old", which is not among encryption.keys')
      expect(await subject.rows()).toBe(before)
    })

    test('touches no other environment', async ({ subject }) => {
      await fill(subject, 'old', underOld)
      await subject.inbox({ environment: 'other' }).receive('shop', signed('evt_1'))

      await subject.inbox({ encryption: underNew }).rekey()

      expect(await keysInUse(subject)).toEqual([null, 'new'])
    })

    test('takes no more of large bodies at once than fit into memory', async ({ subject }) => {
      const inbox = subject.inbox({ shop: { maximumBodyBytes: 1 << 23 } })
      const large = (id: string) => `{"id":"${id}","filling":"${'x'.repeat(5 << 20)}"}`
      for (const id of ['evt_1', 'evt_2', 'evt_3']) await inbox.receive('shop', signed(id, large(id)))
      const steps: number[] = []
      const encrypted = subject.inbox({ encryption: underNew })

      await encrypted.rekey({ onProgress: ({ bodies }) => void steps.push(bodies) })

      expect(steps.slice(0, 2)).toEqual([2, 3])
      expect(await keysInUse(subject)).toEqual(['new'])
    })

    test('leaves alone what somebody else has changed meanwhile', async ({ subject }) => {
      await fill(subject, 'plain', undefined)
      const { sealed } = subject.store
      const page = { environment: 'default', keyId: 'new', after: undefined }
      const bodies = (await sealed.bodies(page)).rows.map((before) => ({
        before,
        after: { content: Buffer.from('stale'), headers: [], keyId: 'new' },
      }))
      const messages = (await sealed.texts('message', page)).rows.map((before) => ({ before, after: '"stale"' }))
      expect([bodies.length, messages.length]).toEqual([4, 1])
      await subject.inbox({ encryption: underOld }).rekey()

      expect(await sealed.replaceBodies(bodies)).toBe(0)
      expect(await sealed.replaceTexts('message', 'default', messages)).toBe(0)
      expect(await keysInUse(subject)).toEqual(['old'])
    })

    test('without the option is refused', async ({ subject }) => {
      await expect(subject.inbox().rekey()).rejects.toMatchObject({ code: 'ONCEHOOK_INVALID_OPTIONS' })
    })
  })
}

/** Five receipts with four bodies, one of them redacted and one of a batch; an effect with its result, and a message. */
async function fill<Tx>(
  { inbox: make }: PrivateSubject<Tx>,
  name: string,
  encryption: Encryption | undefined,
): Promise<void> {
  const inbox = make({
    ...(encryption !== undefined && { encryption }),
    targets: { mail: handler(async () => {}) },
    whenInlineFails: 'redeliver',
  })
  inbox.on('shop', 'order.*', () => {})
  inbox.on('batches', '*', () => {})
  inbox.on(
    'shop',
    'first',
    async (_: WebhookEvent, { once, outbox }) => {
      await once(`effect of ${name}`, () => card)
      await outbox.add('mail', { card })
    },
    { mode: 'inline' },
  )
  const items = ['click', 'open'].map((event) => ({ event, sg_event_id: `${name} ${event}`, timestamp: 1 }))
  await inbox.receive('shop', signed(`${name}-first`, '{}', { type: 'first' }))
  await inbox.receive('shop', signed(`${name}-whole`))
  await inbox.receive('batches', batches.sign({ body: JSON.stringify(items) }, new Date()))
  const redacting = make({ ...(encryption !== undefined && { encryption }), shop: { redact: orderPaths } })
  redacting.on('shop', '*', () => {})
  await redacting.receive('shop', signed(`${name}-redacted`))
}

/** The keys that anything is encrypted with; null for what is in the clear. */
async function keysInUse<Tx>({ query, schema }: PrivateSubject<Tx>): Promise<readonly (string | null)[]> {
  const rows = await query<{ readonly key: string | null }>(
    `select distinct case when text like '{%' or text like ' {%' then text::json->>'keyId' end as key
     from (
       select headers as text from "${schema}".bodies
       union all select message from "${schema}".outbox
       union all select result from "${schema}".effects where result is not null
     ) as texts
     order by 1 nulls first`,
  )
  return rows.map(({ key }) => key)
}
