import { describe, expect } from 'vitest'
import type { NewReceipt } from '../../src/receipt/receipt.ts'
import { type AskFirst, createAskFirst } from '../../src/store/postgres/ask-first.ts'
import type { Database } from '../../src/store/postgres/database.ts'
import { recordReceipts } from '../../src/store/postgres/record-receipts.ts'
import { bareDatabase, keepKey } from './bare-database.ts'
import { count, test } from './postgres-stores.ts'
import { newReceipt, signedReceipt } from './store-under-test.ts'

const always: AskFirst = { isWorthIt: () => true, learn: () => {} }

describe('a storm of copies', () => {
  test('leaves one receipt, one body and one queue row, and tells mutated copies', async ({ database, stores }) => {
    const [store] = await stores(1)
    const first = await store?.recordReceipts(copiesOf(60))

    const again: unknown[] = []
    for (let more = 0; more < 4; more += 1) again.push(await store?.recordReceipts(copiesOf(60)))
    const mutated = await store?.recordReceipts(copiesOf(60, 'other'))
    const amongNew = await store?.recordReceipts([newReceipt({ eventId: 'new' }), ...copiesOf(60)])

    const ids = first?.map((one) => (one.kind === 'first' ? one.receiptId : undefined))
    const duplicates = (isMutated: boolean): readonly unknown[] =>
      (ids ?? []).map((receiptId) => ({ kind: 'duplicate', receiptId, status: 'received', isMutated }))
    expect(again).toEqual(Array.from({ length: 4 }, () => duplicates(false)))
    expect(mutated).toEqual(duplicates(true))
    expect(amongNew).toEqual([{ kind: 'first', receiptId: expect.any(String) }, ...duplicates(false)])
    for (const table of ['receipts', 'bodies', 'queue']) expect(await count(database, table)).toBe(61)
  })

  test('is asked for by ids alone, and nothing is asked while all is new', async ({ database, stores }) => {
    await stores(1)
    const { sent, counting } = countStatements(bareDatabase(database))
    const askFirst = createAskFirst()
    const body = 'x'.repeat(1000)
    const record = (copies: readonly NewReceipt[]): Promise<unknown> => recordReceipts(counting, copies, { askFirst })

    for (let group = 0; group < 5; group += 1) await record(Array.from({ length: 60 }, () => newReceipt()))
    await record(copiesOf(60, body))
    const whileNew = kindsOf(sent)
    for (let more = 0; more < 4; more += 1) await record(copiesOf(60, body))
    sent.length = 0
    await record(copiesOf(60, body))
    const inStorm = kindsOf(sent)
    const bytesInStorm = JSON.stringify(sent).length
    await record([...copiesOf(60, body), newReceipt()])
    const withOneNew = kindsOf(sent)

    expect(whileNew).toEqual(Array.from({ length: 6 }, () => 'record'))
    expect(inStorm).toEqual(['ask'])
    expect(bytesInStorm).toBeLessThan(60 * 40)
    expect(withOneNew).toEqual(['ask', 'ask', 'record'])
  })

  test('is told of at once, before what is new among it is recorded', async ({ database, stores }) => {
    await stores(1)
    const bare = bareDatabase(database)
    const known = [newReceipt(), newReceipt()]
    await recordReceipts(bare, known)
    const [first, second] = known
    const among = [newReceipt(), first, newReceipt(), second].filter((receipt) => receipt !== undefined)
    const told: unknown[] = []
    let tellAll = (): void => {}
    const allTold = new Promise<void>((resolve) => {
      tellAll = resolve
    })
    // What is new is held back until those that are known were told of.
    const holding = beforeRecording(bare, () => allTold)

    const answers = await recordReceipts(holding, among, {
      askFirst: always,
      onKnown(place, recorded) {
        told.push([place, recorded])
        if (told.length === 2) tellAll()
      },
    })

    expect(told).toEqual([
      [1, answers[1]],
      [3, answers[3]],
    ])
    expect(answers.map(({ kind }) => kind)).toEqual(['first', 'duplicate', 'first', 'duplicate'])
    expect(await count(database, 'receipts')).toBe(4)
  })

  test('is not asked for where only keys or bodies are known, since asking would not find them', async ({
    database,
    stores,
  }) => {
    await stores(1)
    const bare = bareDatabase(database)
    const askFirst = createAskFirst()
    await keepKey(database, 'test', 'kept')
    await recordReceipts(bare, [signedReceipt('one', 'body')], { askFirst })

    const isWorthItAfter = async (copyOf: (copy: number) => NewReceipt): Promise<boolean> => {
      for (let copy = 0; copy < 100; copy += 1) await recordReceipts(bare, [copyOf(copy)], { askFirst })
      return askFirst.isWorthIt()
    }
    const afterKeys = await isWorthItAfter(() => newReceipt({ eventId: 'kept', isKeyKept: true }))
    const afterBodies = await isWorthItAfter((copy) =>
      signedReceipt(`copy ${copy}`, 'body', { whenRepeated: 'duplicate' }),
    )
    const afterIds = await isWorthItAfter(() => signedReceipt('one', 'body'))

    expect([afterKeys, afterBodies, afterIds]).toEqual([false, false, true])
    expect(await count(database, 'receipts')).toBe(1)
  })
})

describe('what happens between the question and the insert', () => {
  test('is decided by the insert: one that was recorded meanwhile is a duplicate', async ({ database, stores }) => {
    const [other] = await stores(1)
    const receipts = [newReceipt({ eventId: 'a' }), newReceipt({ eventId: 'b' })]
    const between = afterTheQuestion(bareDatabase(database), async () => {
      await other?.recordReceipts([newReceipt({ eventId: 'a' })])
    })

    const recorded = await recordReceipts(between, receipts, { askFirst: always })

    expect(recorded.map(({ kind }) => kind)).toEqual(['duplicate', 'first'])
    expect(await count(database, 'receipts')).toBe(2)
    expect(await count(database, 'bodies')).toBe(2)
  })

  test('is decided by the insert: one that is rolled back meanwhile is recorded anew', async ({ database, stores }) => {
    await stores(1)
    const uncommitted = await database.pool.connect()
    await uncommitted.query('begin')
    await uncommitted.query(
      `insert into "${database.schema}".receipts (environment, source, event_id, type, status, body_hash, body_id)
       values ('test', 'stripe', 'a', 'a', 'received', '', gen_random_uuid())`,
    )
    const between = afterTheQuestion(bareDatabase(database), async () => {
      await uncommitted.query('rollback')
      uncommitted.release()
    })

    const recorded = await recordReceipts(between, [newReceipt({ eventId: 'a' })], { askFirst: always })

    expect(recorded).toMatchObject([{ kind: 'first' }])
    expect(await count(database, 'queue')).toBe(1)
  })

  test('does no harm: one that is deleted was there, and its next copy is recorded anew', async ({
    database,
    stores,
  }) => {
    await stores(1)
    const bare = bareDatabase(database)
    const [first] = await recordReceipts(bare, [newReceipt({ eventId: 'a' })])
    const between = afterTheQuestion(bare, async () => {
      for (const table of ['receipts', 'queue', 'bodies'])
        await database.query(`delete from "${database.schema}".${table}`)
    })

    const recorded = await recordReceipts(between, [newReceipt({ eventId: 'a' }), newReceipt({ eventId: 'b' })], {
      askFirst: always,
    })
    const again = await recordReceipts(bare, [newReceipt({ eventId: 'a' })], { askFirst: always })

    expect(first?.kind).toBe('first')
    expect(recorded).toMatchObject([{ kind: 'duplicate' }, { kind: 'first' }])
    expect(again).toMatchObject([{ kind: 'first' }])
    expect(await count(database, 'receipts')).toBe(2)
    expect(await count(database, 'bodies')).toBe(2)
  })
})

describe('copies that race over several connections while most are known', () => {
  test('leave one receipt for each event', async ({ database, stores }) => {
    const several = await stores(4)
    await several[0]?.recordReceipts(copiesOf(60))
    // From here on each of them asks first.
    for (const store of several) for (let more = 0; more < 3; more += 1) await store.recordReceipts(copiesOf(60))

    for (let round = 0; round < 10; round += 1) {
      const racing = [`race ${round}`, `other race ${round}`]
      const recorded = await Promise.all(
        [...several, ...several, ...several].map((store, index) =>
          store.recordReceipts([
            ...copiesOf(20),
            ...(index % 2 === 0 ? racing : racing.toReversed()).map((eventId) => newReceipt({ eventId })),
          ]),
        ),
      )
      expect(recorded.flat().filter(({ kind }) => kind === 'first')).toHaveLength(2)
    }

    for (const table of ['receipts', 'bodies', 'queue']) expect(await count(database, table)).toBe(80)
  })
})

/** Copies of the same events every time. */
function copiesOf(events: number, content = '{}'): readonly NewReceipt[] {
  return Array.from({ length: events }, (_, index) => newReceipt({ eventId: `copy ${index}`, content }))
}

type Sent = { readonly text: string; readonly values: readonly unknown[] }

function countStatements(bare: Database): { readonly sent: Sent[]; readonly counting: Database } {
  const sent: Sent[] = []
  const query: Database['query'] = (text, values = []) => {
    sent.push({ text, values })
    return bare.query(text, values)
  }
  return { sent, counting: { ...bare, query } }
}

function kindsOf(sent: readonly Sent[]): readonly string[] {
  return sent.map(({ text }) => {
    if (text.includes('known_events')) return 'ask'
    return text.includes('record_') ? 'record' : 'other'
  })
}

function beforeRecording(bare: Database, happen: () => Promise<void>): Database {
  const query: Database['query'] = async (text, values) => {
    if (text.includes('record_')) await happen()
    return bare.query(text, values)
  }
  return { ...bare, query }
}

function afterTheQuestion(bare: Database, happen: () => Promise<void>): Database {
  const query: Database['query'] = async (text, values) => {
    const rows = await bare.query(text, values)
    if (text.includes('known_events')) await happen()
    return rows as never
  }
  return { ...bare, query }
}
