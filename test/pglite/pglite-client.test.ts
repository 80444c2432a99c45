import { setTimeout } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdDatabase } from '../../src/store/pglite/database-holder.ts'
import { createPgliteClient, type PgliteClient } from '../../src/store/pglite/pglite-client.ts'
import { spaceTooLow } from '../../src/store/pglite/pglite-errors.ts'

let instance: PGlite
let client: PgliteClient

beforeAll(async () => {
  instance = new PGlite()
  client = createPgliteClient(holdDatabase({ kind: 'instance', instance }))
  await client.database().exec('create table notes (id integer primary key, text text)')
})

afterAll(() => instance.close())

async function noteIds(): Promise<number[]> {
  const rows = await client.query<{ id: number }>('select id from notes order by id')
  return rows.map(({ id }) => id)
}

const never = () => new Promise<never>(() => {})

describe('a transaction', () => {
  test('is kept when its work resolves, and answers with the result', async () => {
    const result = await client.transaction(async (connection) => {
      await connection.query('insert into notes (id) values ($1)', [1])
      return 'done'
    })

    expect(result).toBe('done')
    expect(await noteIds()).toContain(1)
  })

  test('is rolled back when its work throws, with that very error', async () => {
    const failure = new Error('no')

    const attempt = client.transaction(async (connection) => {
      await connection.query('insert into notes (id) values (2)')
      throw failure
    })

    await expect(attempt).rejects.toBe(failure)
    expect(await noteIds()).not.toContain(2)
  })

  test('that is destroyed is rolled back although its work never settles', async () => {
    const attempt = client.transaction(async (connection) => {
      await connection.query('insert into notes (id) values (3)')
      connection.destroy()
      return await never()
    })

    await expect(attempt).rejects.toMatchObject({ code: 'ONCEHOOK_TRANSACTION_CLOSED' })
    expect(await noteIds()).not.toContain(3)
  })

  test('that is destroyed is rolled back although its work goes on and resolves', async () => {
    const attempt = client.transaction(async (connection) => {
      await connection.raw.query('insert into notes (id) values (4)')
      connection.destroy()
    })

    await expect(attempt).rejects.toMatchObject({ code: 'ONCEHOOK_TRANSACTION_CLOSED' })
    expect(await noteIds()).not.toContain(4)
  })

  test('that is destroyed fails with the error of its own work, if there is one', async () => {
    const attempt = client.transaction(async (connection) => {
      connection.destroy()
      throw new TypeError('timed out')
    })

    await expect(attempt).rejects.toThrow('timed out')
  })

  test('that was destroyed sends nothing more', async () => {
    let late: Promise<unknown> | undefined
    await client
      .transaction(async (connection) => {
        connection.destroy()
        late = connection.query('insert into notes (id) values (5)')
        await late
      })
      .catch(() => {})

    await expect(late).rejects.toMatchObject({ code: 'ONCEHOOK_TRANSACTION_CLOSED' })
    expect(await noteIds()).not.toContain(5)
  })

  test('that its own work rolled back is no success', async () => {
    const attempt = client.transaction(async ({ raw }) => {
      await (raw as unknown as { rollback(): Promise<void> }).rollback()
    })

    await expect(attempt).rejects.toMatchObject({ code: 'ONCEHOOK_HANDLER_ENDED_TRANSACTION' })
  })

  test('whose failed statement was swallowed is not committed', async () => {
    const attempt = client.transaction(async (connection) => {
      await connection.query('insert into notes (id) values (6)')
      await connection.query('select 1 / 0').catch(() => {})
    })

    await expect(attempt).rejects.toMatchObject({ code: '25P02' })
    expect(await noteIds()).not.toContain(6)
  })

  test.for(['40001', '40P01'])('that the database gave up with %s is a conflict', async (state) => {
    const attempt = client.transaction((connection) =>
      connection.query(`do $$ begin raise exception 'give way' using errcode = '${state}'; end $$`),
    )

    await expect(attempt).rejects.toMatchObject({ code: 'ONCEHOOK_CONFLICT' })
  })
})

describe('the database for the app', () => {
  test('reads and writes outside of transactions', async () => {
    const { rows } = await client.database().sql`select ${7}::int as seven`

    expect(rows).toEqual([{ seven: 7 }])
  })

  test.for([
    ['query', () => client.database().query('select 1')],
    ['sql', () => client.database().sql`select 1`],
    ['exec', () => client.database().exec('select 1')],
    ['transaction', () => client.database().transaction(async () => {})],
  ] as const)('refuses %s inside a transaction instead of waiting for ever', async ([, use]) => {
    await expect(client.transaction<unknown>(use)).rejects.toThrow('Inside a handler use its tx')
  })

  test('can be used by what a transaction started, once that is over', async () => {
    let after: Promise<unknown> | undefined
    let end: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    await client.transaction(async () => {
      after = ended.then(() => client.database().query('select 1'))
    })

    end()

    await expect(after).resolves.toMatchObject({ rows: [{ '?column?': 1 }] })
  })
})

test('an error does not carry the values of its statement', async () => {
  const error: unknown = await client.query('select $1::int', ['secret']).catch((error: unknown) => error)

  expect(error).toMatchObject({ code: '22P02' })
  expect(error).not.toHaveProperty('params')
})

test('below the limit of free space nothing is written, and reading goes on', async () => {
  const holder = holdDatabase({ kind: 'instance', instance })
  const full = createPgliteClient({
    ...holder,
    open: async () => ({
      ...(await holder.open()),
      assertSpace: () => {
        throw spaceTooLow('./inbox', 1_000_000)
      },
    }),
  })

  await expect(full.query('insert into notes (id) values (8)')).rejects.toMatchObject({
    code: 'ONCEHOOK_STORE_UNAVAILABLE',
  })
  await expect(full.transaction(async () => {})).rejects.toThrow('below 64 MB')
  await expect(full.query('select id from notes where id = 8')).resolves.toEqual([])
})

describe('the idle timeout of a transaction', () => {
  test('is not left to the database, which would end itself and hang', () => {
    expect(client.mayEndWhenIdle).toBe(false)
  })

  test('that a handler sets for itself ends the database, and the store says so instead of hanging', async () => {
    const own = createPgliteClient(holdDatabase({ kind: 'memory' }))

    const attempt = own.transaction(async ({ raw }) => {
      await raw.query("select set_config('idle_in_transaction_session_timeout', '1', true)")
      // The timer is the database's own, and asking about it would stop it.
      await setTimeout(50)
      await raw.query('select 1')
    })

    await expect(attempt).rejects.toMatchObject({ code: 'ONCEHOOK_COMMIT_UNKNOWN' })
    await expect(own.query('select 1')).rejects.toMatchObject({ code: 'ONCEHOOK_STORE_UNAVAILABLE' })
  })
})
