import { describe, expect } from 'vitest'
import { type OpenAdmin, test } from './open-admin.ts'

const rows = 60_000

/** Nine in ten were processed, each tenth is a dead letter. Types are common, but for one that came three times, long ago. */
const fillSql = (schema: string): string => `
  insert into "${schema}".receipts (environment, source, event_id, type, received_at, status, processed_at, failed_at, last_error,
    body_hash, body_id)
  select 'default', 'stripe', 'evt_' || number, case when number in (10, 20, 9000) then 'rare' else 'common' end,
    now() - interval '1 minute' * (${rows} - number), case when number % 10 = 0 then 'failed' else 'processed' end,
    case when number % 10 <> 0 then now() end, case when number % 10 = 0 then now() end,
    case when number % 10 = 0 then 'answer ' || number end, '\\x', gen_random_uuid()
  from generate_series(1, ${rows}) as number`

/** Goes on until there is no next page. */
async function readAll(
  { call }: OpenAdmin,
  query: string,
): Promise<{ readonly ids: string[]; readonly pages: number }> {
  const ids: string[] = []
  let pages = 0
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await call('GET', `/receipts?limit=200&${query}&cursor=${cursor}`)
    ids.push(...body.items.map(({ eventId }: { eventId: string }) => eventId))
    cursor = body.next
    pages += 1
  }
  return { ids, pages }
}

describe('on a long ledger', () => {
  test('what is rare is found page by page, whole and once, and dead letters that are alike are one group', async ({
    makeInbox,
    openAdmin,
    database,
  }) => {
    const inbox = makeInbox()
    await inbox.migrate()
    await database.query(fillSql(database.schema))
    await database.query(`analyze "${database.schema}".receipts`)
    const surface = await openAdmin(inbox)
    const rare = ['evt_9000', 'evt_20', 'evt_10']
    const after = encodeURIComponent(new Date(Date.now() - (rows - 8_000) * 60_000).toISOString())

    expect((await readAll(surface, 'type=rare')).ids).toEqual(rare)
    expect((await readAll(surface, 'q=rar*')).ids).toEqual(rare)
    expect((await readAll(surface, 'type=rare&status=failed')).ids).toEqual(rare)
    expect((await readAll(surface, 'type=rare&status=failed&source=github')).ids).toEqual([])
    expect((await readAll(surface, `type=rare&status=failed&after=${after}`)).ids).toEqual(['evt_9000'])
    expect((await readAll(surface, 'q=evt_20')).ids).toEqual(['evt_20'])
    const dead = await readAll(surface, 'status=failed')
    expect([dead.ids.length, new Set(dead.ids).size, dead.pages]).toEqual([6000, 6000, 31])

    const { body } = await surface.call('GET', '/dead-letters/groups')
    expect(body).toMatchObject({
      items: [{ type: 'common', error: `answer ${rows}`, count: 5000, exampleId: String(rows) }],
      isComplete: false,
    })
  })
})
