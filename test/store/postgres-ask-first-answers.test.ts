import { describe, expect } from 'vitest'
import type { NewReceipt, Recorded } from '../../src/receipt/receipt.ts'
import type { AskFirst } from '../../src/store/postgres/ask-first.ts'
import { recordReceipts } from '../../src/store/postgres/record-receipts.ts'
import type { TestDatabase } from '../support/database.ts'
import { bareDatabase, keepKey } from './bare-database.ts'
import { test } from './postgres-stores.ts'
import { newReceipt, signedReceipt } from './store-under-test.ts'

const always: AskFirst = { isWorthIt: () => true, learn: () => {} }

describe('a store that asks first', () => {
  test('answers as one that does not, and stores the same', async ({ database, stores }) => {
    await stores(1)
    const bare = bareDatabase(database)
    await keepKey(database, 'asking', 'kept')
    await keepKey(database, 'inserting', 'kept')

    const answers = async (environment: string, askFirst?: AskFirst): Promise<readonly unknown[]> => {
      const all: unknown[] = []
      for (const [number, group] of groupsOf(environment).entries()) {
        if (number === 2) await lease(database, environment, 'a')
        const recorded = await recordReceipts(bare, group, askFirst && { askFirst })
        all.push(await Promise.all(recorded.map((one) => withEventId(database, one))))
      }
      return all
    }
    const asking = await answers('asking', always)
    const inserting = await answers('inserting')

    expect(asking).toEqual(inserting)
    expect(asking.flat()).toContainEqual({ kind: 'duplicate', of: 'a', status: 'received', isMutated: true })
    expect(asking.flat()).toContainEqual({ kind: 'duplicate', of: 'a', status: 'processing', isMutated: false })
    expect(asking.flat()).toContainEqual({ kind: 'duplicate', of: 'gone', status: 'processed', isMutated: false })
    expect(await rowsOf(database, 'asking')).toEqual(await rowsOf(database, 'inserting'))
  })
})

/** What differs by the body has a body of its own in every environment: a signed one is known in all of them. */
function groupsOf(environment: string): readonly (readonly NewReceipt[])[] {
  const plain = (eventId: string, content = 'plain'): NewReceipt => newReceipt({ environment, eventId, content })
  const signed = (eventId: string, content: string, whenRepeated: 'flag' | 'duplicate' = 'flag'): NewReceipt =>
    signedReceipt(eventId, `${environment} ${content}`, { environment, whenRepeated })
  return [
    [plain('a'), plain('a'), plain('b'), signed('one', 'x'), signed('two', 'y')],
    [plain('a'), plain('a', 'other'), plain('c'), plain('c', 'other')],
    [plain('a'), newReceipt({ environment, eventId: 'kept', isKeyKept: true }), plain('d')],
    // Known by id with its own body, with that of another, and with one that is new; then bodies alone.
    [signed('one', 'x'), signed('one', 'y'), signed('two', 'z')],
    [signed('three', 'x'), signed('four', 'y', 'duplicate'), signed('five', 'z')],
    [signed('three', 'x'), signed('four', 'y', 'duplicate'), signed('five', 'z'), signed('five', 'new')],
    // One id of two sources.
    [newReceipt({ environment, source: 'github', eventId: 'a', content: 'plain' }), plain('a')],
    [newReceipt({ environment, eventId: 'b', disposition: 'ignored' }), plain('e', '{}'), plain('e', '{}')],
    [newReceipt({ environment, eventId: 'f', disposition: 'failed' }), plain('f')],
    [plain('f'), newReceipt({ environment, eventId: 'a', isKeyKept: true, content: 'plain' })],
  ]
}

/** The answer with the event that the receipt is of, in place of its id. */
async function withEventId({ query, schema }: TestDatabase, recorded: Recorded): Promise<unknown> {
  if (recorded.kind === 'busy') return recorded
  const { receiptId, ...rest } = recorded
  const [row] = await query<{ eventId: string }>(
    `select event_id as "eventId" from "${schema}".receipts where id = $1::bigint`,
    [receiptId],
  )
  return { ...rest, of: row?.eventId ?? 'gone' }
}

async function rowsOf({ query, schema }: TestDatabase, environment: string): Promise<readonly unknown[]> {
  return query(
    `select receipts.source, event_id, receipts.status, repeats_event_id, signed_key is null as is_unsigned, queue.receipt_id is null as is_done,
       bodies.id is null as is_empty
     from "${schema}".receipts
     left join "${schema}".queue on queue.receipt_id = receipts.id
     left join "${schema}".bodies on bodies.id = receipts.body_id
     where receipts.environment = $1 order by receipts.source, event_id`,
    [environment],
  )
}

/** As if a worker was running it. */
async function lease({ query, schema }: TestDatabase, environment: string, eventId: string): Promise<void> {
  await query(
    `update "${schema}".queue set leased_by = 'worker', fence = 1, due_at = clock_timestamp() + interval '1 hour'
     where receipt_id = (select id from "${schema}".receipts where environment = $1 and event_id = $2)`,
    [environment, eventId],
  )
}
