import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { type Captures, createCaptures, type OnCapture } from '../../src/capture/create-captures.ts'
import type { Encryption } from '../../src/index.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { TestDatabase } from '../support/database.ts'
import { stripeDelivery, test } from '../support/inbox.ts'

const keys = { old: randomBytes(32).toString('base64'), new: randomBytes(32).toString('base64') }
const underOld: Encryption = { keys: { old: keys.old }, current: 'old' }
const underNew: Encryption = { keys, current: 'new' }
const onlyNew: Encryption = { keys: { new: keys.new }, current: 'new' }

function capturesOn(database: TestDatabase, encryption?: Encryption): Captures {
  const store = postgresStore(database.pool, { schema: database.schema })
  // An automation that answers in place of the endpoint, as long as the request asks for it.
  const onCapture: OnCapture = async ({ query }) =>
    query.includes('automated')
      ? { automation: 'answers', status: 201, headers: {}, body: 'automated and visible' }
      : undefined
  return createCaptures({ store, sources: {}, encryption, options: { endpoints: { box: {} } }, onCapture })
}

async function capture({ door }: Captures, query: string): Promise<void> {
  const content = Buffer.from('visible body')
  await door.receive({
    endpoint: 'box',
    method: 'POST',
    path: '/p',
    query,
    headers: [['x-token', 'visible header']],
    content,
    bytes: content.byteLength,
    remoteAddress: '127.0.0.1',
    tookMilliseconds: 1,
    problem: undefined,
  })
}

const rowsOf = ({ query, schema }: TestDatabase) =>
  query<{ readonly id: string; readonly key: string | null; readonly text: string }>(
    `select id::text, key_id as key, captures::text as text from "${schema}".captures order by captures.id`,
  )

const isVisible = (text: string): boolean =>
  text.includes('visible') || text.includes(Buffer.from('visible').toString('hex'))

describe('a new key', () => {
  test('takes over captures, those in the clear too, and they can be read with it alone', async ({
    makeInbox,
    database,
  }) => {
    const inbox = makeInbox({ encryption: underNew })
    await inbox.migrate()
    const clear = capturesOn(database)
    await clear.start()
    await capture(clear, 'token=visible')
    const old = capturesOn(database, underOld)
    await capture(old, 'token=visible')
    await capture(old, 'automated=visible')
    // More than one page takes.
    for (let number = 0; number < 100; number += 1) await capture(old, 'more')

    const unreadable = await makeInbox({ encryption: onlyNew }).rekey()
    const report = await inbox.rekey()
    const again = await inbox.rekey()

    expect(unreadable).toMatchObject({ captures: 1, unreadable: 102 })
    expect(unreadable.problems[0]).toContain('encrypted with the key "old", which is not among encryption.keys')
    expect(report).toMatchObject({ captures: 102, unreadable: 0, isComplete: true })
    expect(again).toMatchObject({ captures: 0, unreadable: 0, isComplete: true })
    const rows = await rowsOf(database)
    expect(rows.map(({ key }) => key)).toEqual(Array(103).fill('new'))
    expect(rows.filter(({ text }) => isVisible(text))).toEqual([])
    const reader = capturesOn(database, onlyNew)
    const read = await Promise.all(rows.slice(0, 3).map(({ id }) => reader.read(id)))
    expect(read).toMatchObject([
      { query: 'token=visible', headers: [['x-token', 'visible header']], answer: { status: 200 } },
      { query: 'token=visible', headers: [['x-token', 'visible header']], answer: { status: 200 } },
      { query: 'automated=visible', answer: { status: 201, origin: 'automation' } },
    ])
    expect(read.map((one) => Buffer.from(one?.content ?? []).toString())).toEqual(Array(3).fill('visible body'))
    expect(Buffer.from(read[2]?.answer.body ?? []).toString()).toBe('automated and visible')
    for (const captures of [clear, old]) captures.close()
  })

  test('leaves alone a capture whose answer was changed meanwhile, and one that it took over is not answered for', async ({
    makeInbox,
    database,
  }) => {
    const inbox = makeInbox({ encryption: underNew })
    await inbox.migrate()
    const clear = capturesOn(database)
    await clear.start()
    await capture(clear, 'token=visible')
    const { sealed, captures } = postgresStore(database.pool, { schema: database.schema })
    const environment = 'default'
    const { rows } = await sealed.captures({ environment, keyId: 'new', after: undefined })
    const stale = rows.map((before) => ({ before, after: { ...before, content: Buffer.from('stale'), keyId: 'new' } }))
    const id = rows[0]?.id ?? ''
    const stored = await captures.read(environment, id)
    const answer = { ...(stored?.answer ?? { kind: 'sent', status: 200 }), body: Buffer.from('another') } as never

    expect(await captures.changeAnswer({ environment, id, answer })).toBe(true)
    expect(await sealed.replaceCaptures(environment, stale)).toBe(0)
    await inbox.rekey()
    expect(await captures.changeAnswer({ environment, id, answer })).toBe(false)

    const read = await capturesOn(database, onlyNew).read(id)
    expect(Buffer.from(read?.content ?? []).toString()).toBe('visible body')
    expect(Buffer.from(read?.answer.body ?? []).toString()).toBe('another')
    clear.close()
  })

  test('takes no more of large captures at once than fit into memory', async ({ makeInbox, database }) => {
    await makeInbox().migrate()
    const captures = capturesOn(database)
    await captures.start()
    for (let number = 0; number < 3; number += 1) await capture(captures, 'large')
    await database.query(`update "${database.schema}".captures set content = convert_to(repeat('x', 5 << 20), 'UTF8')`)
    const { sealed } = postgresStore(database.pool, { schema: database.schema })

    const first = await sealed.captures({ environment: 'default', keyId: 'new', after: undefined })
    const second = await sealed.captures({ environment: 'default', keyId: 'new', after: first.next })

    expect([first.rows.length, second.rows.length]).toEqual([2, 1])
    captures.close()
  })

  test('takes over the traces of automations', async ({ makeInbox, database }) => {
    const automations = {
      define: {
        note: {
          on: { source: 'stripe', types: '*' },
          steps: [{ kind: 'extract', path: '$.data.object.card', as: 'card' }],
        },
      },
    } as const
    const payload = { data: { object: { card: 'visible card' } } }
    const old = makeInbox({ encryption: underOld, automations, mode: 'queued' })
    await old.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', payload))
    await old.drain()

    const report = await makeInbox({ encryption: underNew }).rekey()

    expect(report).toMatchObject({ traces: 1, unreadable: 0, isComplete: true })
    const traces = await database.query<{ steps: string }>(`select steps from "${database.schema}".automation_runs`)
    expect(traces).toEqual([{ steps: expect.stringMatching(/^ \{"keyId":"new"/) }])
    const [run] = (await makeInbox({ encryption: onlyNew, automations }).automations?.runs({})) ?? []
    expect(JSON.stringify(run?.steps)).toContain('visible card')
  })
})
