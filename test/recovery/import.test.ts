import { describe, expect } from 'vitest'
import type { ImportOptions } from '../../src/index.ts'
import { compositeId, safeId } from '../../src/verify/safe-id.ts'
import { codeOf } from '../store/store-under-test.ts'
import type { TestDatabase } from '../support/database.ts'
import { stripeDelivery, type TestInbox, test } from '../support/inbox.ts'
import { atScale } from '../support/scale.ts'
import { killImport } from './import-process.ts'

const count = atScale(1_000_000)
const columns = { eventId: 'event_id', type: 'event_type', processedAt: 'processed_at' } as const

describe('a table of processed events', () => {
  test('of a million rows (a tenth in the gate) is taken over, also by two processes of which one is killed, and none of them runs again', async ({
    database,
    makeInbox,
  }) => {
    const { schema, query, url } = database
    const inbox = makeInbox({ mode: 'inline' })
    const ran: string[] = []
    inbox.on('stripe', '*', (event) => void ran.push(event.id))
    await inbox.migrate()
    await query(`create unlogged table "${schema}".processed_events as
      select 'evt_' || number as event_id, 'invoice.paid' as event_type,
        timestamptz '2026-01-01 00:00Z' + number * interval '1 second' as processed_at
      from generate_series(1, ${count}) as number`)
    await query(`alter table "${schema}".processed_events add primary key (event_id)`)
    const options: ImportOptions = {
      source: 'stripe',
      table: `${schema}.processed_events`,
      columns,
      batchRows: count / 20,
    }

    const rowsBefore = await killImport({ databaseUrl: url, schema, options }, count / 10)
    await query(`update "${schema}".recoveries set held_until = now()`)
    const report = await inbox.importTable(options)
    const sample = ['evt_1', 'evt_77777', `evt_${count / 2}`, `evt_${count - 1}`, `evt_${count}`]
    const outcomes = await Promise.all(sample.map((id) => inbox.receive('stripe', stripeDelivery(id))))
    await inbox.receive('stripe', stripeDelivery(`evt_${count + 1}`))

    expect(rowsBefore).toBeLessThan(count)
    expect(report).toMatchObject({ isFinished: true, rows: count, imported: count, known: 0, leftOut: 0 })
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(sample.map(() => 'duplicate'))
    expect(outcomes.every((outcome) => outcome.kind === 'duplicate' && !outcome.isMutated)).toBe(true)
    expect(ran).toEqual([`evt_${count + 1}`])
    expect(
      await query(
        `select status, origin, type, count(*)::int, count(processed_events.event_id)::int as events,
          min(receipts.processed_at) as oldest
        from "${schema}".receipts left join "${schema}".processed_events using (event_id)
        where origin is not null group by 1, 2, 3`,
      ),
    ).toEqual([
      {
        status: 'processed',
        origin: 'import',
        type: 'invoice.paid',
        count,
        events: count,
        oldest: new Date('2026-01-01T00:00:01Z'),
      },
    ])
    expect(await query(`select kind, finished_at is not null as is_finished from "${schema}".recoveries`)).toEqual([
      { kind: 'import', is_finished: true },
    ])
  }, 300_000)
})

describe('an import', () => {
  test('leaves out what is not processed yet, so that a redelivery runs it', async ({ database, makeInbox }) => {
    const { inbox, ran } = await legacyInbox({ database, makeInbox })

    const report = await inbox.importTable({ ...legacy(database), processedStatuses: ['done'] })
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await inbox.receive('stripe', stripeDelivery(id))

    expect(report).toMatchObject({ rows: 5, imported: 1, leftOut: 2, withoutId: 1, known: 1, deadLetters: 0 })
    expect(ran).toEqual(['evt_2', 'evt_3'])
    expect(await inbox.receipts.find({ origin: 'import' })).toMatchObject([
      { eventId: 'evt_1', status: 'processed', type: 'invoice.paid', objectId: 'in_1', bodyHash: '' },
    ])
  })

  test('takes over what is not processed yet as dead letters, if asked to', async ({ database, makeInbox }) => {
    const { inbox, ran } = await legacyInbox({ database, makeInbox })

    await inbox.importTable({ ...legacy(database), processedStatuses: ['done'], others: 'dead_letter' })
    await inbox.receive('stripe', stripeDelivery('evt_2'))

    expect(ran).toEqual([])
    expect(await inbox.receipts.find({ status: 'failed' })).toMatchObject([
      { eventId: 'evt_3', lastError: 'Imported without a body: its status was not given.' },
      { eventId: 'evt_2', lastError: 'Imported without a body: its status was working.' },
    ])
  })

  test('that is only tried counts the same and changes nothing', async ({ database, makeInbox }) => {
    const { inbox } = await legacyInbox({ database, makeInbox })
    const options = { ...legacy(database), processedStatuses: ['done'], batchRows: 2 }

    const tried = await inbox.importTable({ ...options, dryRun: true })
    const receipts = await inbox.receipts.find()
    const done = await inbox.importTable(options)
    const again = await inbox.importTable(options)

    expect(receipts).toEqual([])
    expect(tried).toMatchObject({ runId: undefined, isFinished: true, rows: 5, leftOut: 2, withoutId: 1 })
    expect(done).toMatchObject({ rows: 5, imported: 1, known: 1, leftOut: 2 })
    expect(again).toMatchObject({ rows: 5, imported: 0, known: 2, leftOut: 2 })
  })

  test('leaves receipts alone that are there already', async ({ database, makeInbox }) => {
    const { inbox } = await legacyInbox({ database, makeInbox })
    await inbox.receive('stripe', stripeDelivery('evt_1'))

    await inbox.importTable({ ...legacy(database), processedStatuses: ['done'] })

    expect(await inbox.receipts.find({ eventId: 'evt_1' })).toMatchObject([{ origin: 'webhook' }])
  })

  test('makes composite ids as the provider does, of odd names and values', async ({ database, makeInbox }) => {
    const { schema, query } = database
    const inbox = makeInbox()
    await query(`create table "${schema}"."Odd ""Table" (number int primary key, "Guid; --" text, big text)`)
    await query(`insert into "${schema}"."Odd ""Table" values (1, 'a:b%', 'x'), (2, '', 'y'), (3, null, 'z')`)
    await query(`insert into "${schema}"."Odd ""Table" values (4, repeat('é', 300), 'x')`)

    await inbox.importTable({
      source: 'stripe',
      table: `"${schema}"."Odd ""Table"`,
      columns: { eventId: [{ value: `o'hook\\` }, 'Guid; --'] },
      where: `big <> 'y' -- and no more`,
    })

    const [long, short] = await inbox.receipts.find()
    expect(short).toMatchObject({ eventId: compositeId([`o'hook\\`, 'a:b%']), type: 'imported' })
    expect(long?.eventId).toBe(safeId(compositeId([`o'hook\\`, 'é'.repeat(300)]) ?? ''))
  })

  test('reads in the order of the key, whatever becomes of it as an id', async ({ database, makeInbox }) => {
    const { schema, query } = database
    const inbox = makeInbox()
    const long = `z${'é'.repeat(300)}`
    await query(`create table "${schema}".long_ids (event_id text primary key)`)
    await query(`insert into "${schema}".long_ids values ('t'), ($1)`, [long])

    // As an id the long one is a hash, which comes before the short one.
    const report = await inbox.importTable({
      source: 'stripe',
      table: `${schema}.long_ids`,
      columns: { eventId: 'event_id' },
      batchRows: 1,
    })

    expect(report).toMatchObject({ rows: 2, imported: 2 })
    expect((await inbox.receipts.find()).map(({ eventId }) => eventId)).toEqual([safeId(long), 't'])
  })

  test('reads times of every kind', async ({ database, makeInbox }) => {
    const { schema, query } = database
    const inbox = makeInbox()
    const kinds = {
      seconds: ['bigint', '1767225600'],
      milliseconds: ['bigint', '1767225600000'],
      day: ['date', "'2026-01-01'"],
      zoneless: ['timestamp', "'2026-01-01 00:00'"],
      zoned: ['timestamptz', "'2026-01-01 02:00+02'"],
    }

    for (const [name, [type, value]] of Object.entries(kinds)) {
      await query(`create table "${schema}".${name} (id text primary key, at ${type})`)
      await query(`insert into "${schema}".${name} values ('${name}', ${value}), ('not yet', null)`)
      const eventId = 'id'
      await inbox.importTable({
        source: 'stripe',
        table: `${schema}.${name}`,
        columns: { eventId, processedAt: 'at' },
      })
    }

    const imported = await inbox.receipts.find()
    expect(imported.map(({ eventId }) => eventId).toSorted()).toEqual(Object.keys(kinds).toSorted())
    expect(new Set(imported.map(({ processedAt }) => processedAt?.toISOString()))).toEqual(
      new Set(['2026-01-01T00:00:00.000Z']),
    )
  })

  test('names every mistake at once', async ({ database, makeInbox }) => {
    const { inbox } = await legacyInbox({ database, makeInbox })
    const { schema, query } = database
    await query(`create table "${schema}".loose (id text)`)
    const good = legacy(database)
    const complaint = (options: object): Promise<string> =>
      inbox.importTable({ ...good, processedStatuses: ['done'], ...options }).then(
        () => 'none',
        (error: Error) => error.message,
      )

    expect(await complaint({ source: 'strpe' })).toContain('there is no source "strpe"; there are: stripe.')
    expect(await complaint({ table: `${schema}.nowhere` })).toContain('there is no table')
    expect(await complaint({ table: 'a.b.c.d; drop' })).toContain('there is no table')
    expect(await complaint({ columns: { eventId: 'evnt', type: 'kind' }, processedStatuses: [] })).toMatch(
      /columns.eventId is the column "evnt", .* it has: id, event_id, kind, object, status, done_at/,
    )
    expect(await complaint({ columns: { eventId: 'event_id', processedAt: 'kind', type: 'no' } })).toMatch(
      /processedStatuses would have no effect/,
    )
    expect(await complaint({ columns: { eventId: 'event_id', processedAt: 'kind' }, processedStatuses: [] })).toMatch(
      /columns.processedAt is .*kind, which is of the type text/,
    )
    expect(await complaint({ processedStatuses: [] })).toContain('processedStatuses is missing')
    expect(await complaint({ where: 'nonsense = 1' })).toMatch(/where is not understood \(column "nonsense" does not/)
    expect(await complaint({ where: 'true); delete from x; --' })).toContain('where is not understood')
    expect(await complaint({ key: ['kind'] })).toContain('has no (kind) as a unique key')
    expect(await complaint({ table: `${schema}.loose`, columns: { eventId: 'id' }, processedStatuses: [] })).toContain(
      'has no primary key or other unique key',
    )
    expect(await query(`select * from "${schema}".recoveries where finished_at is not null`)).toEqual([])
  })

  test('that was stopped goes on where it was, and one that is worked on is left alone', async ({
    database,
    makeInbox,
  }) => {
    const { inbox } = await legacyInbox({ database, makeInbox })
    const { schema, query } = database
    const options = { ...legacy(database), processedStatuses: ['done'], batchRows: 2 }
    const stop = new AbortController()
    const hasty = makeInbox({ clock: { now: () => new Date(), wait: async () => {} } })

    const stopped = await codeOf(
      inbox.importTable({ ...options, signal: stop.signal, onProgress: () => stop.abort({ code: 'STOPPED' }) }),
    )
    await query(`update "${schema}".recoveries set held_until = now() + interval '1 hour', held_by = 'web-1:7 x'`)
    const refused = await hasty.importTable(options).catch((error: Error) => error.message)
    await query(`update "${schema}".recoveries set held_until = now()`)
    const batches: number[] = []
    const report = await inbox.importTable({ ...options, onProgress: ({ rows }) => batches.push(rows) })

    expect(stopped).toBe('STOPPED')
    expect(refused).toMatch(/^Run 1 of source stripe is worked on by web-1:7\./)
    expect(batches).toEqual([4])
    expect(report).toMatchObject({ runId: '1', rows: 5, imported: 1, known: 1, leftOut: 2, withoutId: 1 })
  })
})

type Given = { readonly database: TestDatabase; readonly makeInbox: (options?: object) => TestInbox }

/** Five rows: done, twice done, working, without a status, and without an id. */
async function legacyInbox({ database, makeInbox }: Given): Promise<{ inbox: TestInbox; ran: string[] }> {
  const { schema, query } = database
  const inbox = makeInbox({ mode: 'inline' })
  const ran: string[] = []
  inbox.on('stripe', '*', (event) => void ran.push(event.id))
  await inbox.migrate()
  await query(`create table "${schema}".seen (
    id int primary key, event_id text, kind text, object text, status text, done_at timestamptz
  )`)
  await query(`insert into "${schema}".seen values
    (1, 'evt_1', 'invoice.paid', 'in_1', 'done', now()), (2, 'evt_1', 'invoice.paid', 'in_1', 'done', now()),
    (3, 'evt_2', 'invoice.paid', '', 'working', now()), (4, 'evt_3', '', null, null, now()),
    (5, null, 'invoice.paid', 'in_5', 'done', now())`)
  return { inbox, ran }
}

function legacy({ schema }: TestDatabase): ImportOptions {
  const columns = { eventId: 'event_id', type: 'kind', objectId: 'object', status: 'status', processedAt: 'done_at' }
  return { source: 'stripe', table: `${schema}.seen`, columns }
}
