import { test as base, describe, expect } from 'vitest'
import { codeOf } from '../store/store-under-test.ts'
import { until } from '../support/until.ts'
import { type ClientSuite, close, dieHandling, nested, prepare, reopen, type Subject } from './client-subject.ts'
import { createPlace, type TestPlace } from './test-place.ts'

const nothing = { receipts: [], effects: [] }
const both = { receipts: ['evt_1'], effects: ['evt_1'] }

/** The one promise of all clients: what the library wrote and the receipt are there together, or neither is. */
export function describeClient<Tx>(name: string, suite: ClientSuite<Tx>): void {
  const test = base.extend<{ readonly place: TestPlace; readonly subject: Subject<Tx> }>({
    place: async ({}, use) => {
      const place = await createPlace()
      await use(place)
      await place.remove()
    },
    subject: async ({ place }, use) => {
      const subject = await prepare(suite, place)
      await use(subject)
      await close(subject)
    },
  })
  /** Where Postgres is this process, there is no connection to lose. */
  const onServer: typeof test | (() => void) = suite.runsIn === 'process' ? () => {} : test

  describe(`a handler's transaction of ${name}`, () => {
    test('is committed with the receipt', async ({ subject: { client, handle, rows } }) => {
      await handle('evt_1', (tx) => client.insert(tx, 'evt_1'))

      expect(await rows()).toEqual(both)
    })

    test('is rolled back with the receipt when the handler throws', async ({ subject: { client, handle, rows } }) => {
      const failing = handle('evt_1', async (tx) => {
        await client.insert(tx, 'evt_1')
        throw new Error('boom')
      })

      await expect(failing).rejects.toThrow('boom')
      expect(await rows()).toEqual(nothing)
    })

    test('is gone with the receipt when the process is killed before the commit', async ({ place }) => {
      await close(await prepare(suite, place))

      expect(await dieHandling(suite, place, 'evt_1')).toBe('SIGKILL')

      const next = await reopen(suite, place)
      expect(await next.rows()).toEqual(nothing)
      await next.handle('evt_1', (tx) => next.client.insert(tx, 'evt_1'))
      expect(await next.rows()).toEqual(both)
      await close(next)
    })

    test('survives a nested one that is rolled back', async ({ subject: { client, handle, rows } }) => {
      await handle('evt_1', async (tx) => {
        await client.insert(tx, 'evt_1')
        await nested(client, tx, async (inner) => {
          await client.insert(inner, 'evt_nested')
          throw new Error('boom')
        }).catch(() => {})
      })

      expect(await rows()).toEqual(both)
    })

    test('holds what a nested one wrote', async ({ subject: { client, handle, rows } }) => {
      await handle('evt_1', (tx) => nested(client, tx, (inner) => client.insert(inner, 'evt_1')))

      expect(await rows()).toEqual(both)
    })

    test('is rolled back when a failed statement is swallowed', async ({ subject: { client, handle, rows } }) => {
      const handled = handle('evt_1', async (tx) => {
        await client.insert(tx, 'evt_1')
        await client.execute(tx, 'select 1 / 0').catch(() => {})
      })

      expect(await codeOf(handled)).toBe('ONCEHOOK_HANDLER_SWALLOWED_FAILURE')
      expect(await rows()).toEqual(nothing)
    })

    test('cannot be committed by the handler', async ({ subject: { client, handle, rows } }) => {
      const handled = handle('evt_1', async (tx) => {
        await client.insert(tx, 'evt_1')
        await client.commit(tx)
      })

      expect(await codeOf(handled)).toBe('ONCEHOOK_HANDLER_ENDED_TRANSACTION')
      expect(await rows()).toEqual(nothing)
    })

    test('is rolled back when the handler does not await a statement', async ({
      subject: { client, handle, rows },
    }) => {
      const handled = handle('evt_1', async (tx) => {
        void client.insert(tx, 'evt_1')
      })

      expect(await codeOf(handled)).toBe('ONCEHOOK_HANDLER_LEFT_STATEMENTS')
      expect(await rows()).toEqual(nothing)
    })

    test('takes nothing that is built in the handler and sent afterwards', async ({
      subject: { client, handle, rows },
    }) => {
      let late: (() => Promise<unknown>) | undefined
      await handle('evt_1', async (tx) => {
        await client.insert(tx, 'evt_1')
        late = client.insertLater?.(tx, 'evt_late') ?? (() => client.insert(tx, 'evt_late'))
      })

      expect(late).toBeDefined()
      await expect(late?.()).rejects.toBeInstanceOf(Error)
      expect(await rows()).toEqual(both)
    })

    test('is rolled back when the handler never settles, and the next event is handled', async ({ subject }) => {
      const { client, handle, rows } = subject
      const stuck = handle(
        'evt_stuck',
        async (tx) => {
          await client.insert(tx, 'evt_stuck')
          await new Promise(() => {})
        },
        { timeoutSeconds: 0.2 },
      )

      expect(await codeOf(stuck)).toBe('ONCEHOOK_HANDLER_TIMED_OUT')
      await handle('evt_1', (tx) => client.insert(tx, 'evt_1'))
      expect(await rows()).toEqual(both)
    })

    test('that loses against another one is a conflict', async ({ subject: { client, handle, rows } }) => {
      const handled = handle('evt_1', async (tx) => {
        await client.insert(tx, 'evt_1')
        await client.execute(tx, `do $$ begin raise exception using errcode = '40001'; end $$`)
      })

      expect(await codeOf(handled)).toBe('ONCEHOOK_CONFLICT')
      expect(await rows()).toEqual(nothing)
    })

    test('that breaks a constraint at its end leaves nothing', async ({ subject: { client, place, handle, rows } }) => {
      await client.query(
        `alter table "${place.schema}".client_effects add unique (event_id) deferrable initially deferred`,
      )

      const handled = handle('evt_1', async (tx) => {
        await client.insert(tx, 'evt_1')
        await client.insert(tx, 'evt_1')
      })

      await expect(handled).rejects.toBeInstanceOf(Error)
      expect(await rows()).toEqual(nothing)
    })

    test('keeps the error of a handler that could not reach something else', async ({ subject: { handle, rows } }) => {
      const error = Object.assign(new Error('connection terminated'), { code: 'ECONNRESET' })

      await expect(handle('evt_1', () => Promise.reject(error))).rejects.toBe(error)

      expect(await rows()).toEqual(nothing)
    })

    onServer('is stopped in the middle of a statement', async ({ subject: { client, place, handle, rows } }) => {
      const handled = handle(
        'evt_1',
        async (tx) => {
          await client.insert(tx, 'evt_1')
          await client.execute(tx, `select pg_sleep(50), '${place.schema}'`)
        },
        { timeoutSeconds: 0.2 },
      )

      expect(await codeOf(handled)).toBe('ONCEHOOK_HANDLER_TIMED_OUT')
      await until(
        () =>
          client.query(
            `select pid from pg_stat_activity where state = 'active' and query like 'select pg_sleep(50), ''${place.schema}%'`,
          ),
        (found) => found.length === 0,
        10,
      )
      expect(await rows()).toEqual(nothing)
    })

    onServer('that loses its connection can be tried again', async ({ subject: { client, handle, rows } }) => {
      const handled = handle('evt_1', async (tx) => {
        await client.insert(tx, 'evt_1')
        await client.execute(tx, 'select pg_terminate_backend(pg_backend_pid())')
      })

      expect(await codeOf(handled)).toBe('ONCEHOOK_STORE_UNAVAILABLE')
      await handle('evt_1', (tx) => client.insert(tx, 'evt_1'))
      expect(await rows()).toEqual(both)
    })

    onServer(
      'that loses its connection while the handler does something else can be tried again',
      async ({ subject }) => {
        const { client, place, handle, rows } = subject
        const waiting = `select '${place.schema} waits'`
        const terminate = `
        select pg_terminate_backend(pid) from pg_stat_activity
        where state = 'idle in transaction' and query = '${waiting.replaceAll("'", "''")}'`

        const handled = handle('evt_1', async (tx) => {
          await client.insert(tx, 'evt_1')
          await client.execute(tx, waiting)
          await until(
            () => client.query(terminate),
            (terminated) => terminated.length > 0,
          )
          await until(
            () => client.query(`select pid from pg_stat_activity where query = '${waiting.replaceAll("'", "''")}'`),
            (found) => found.length === 0,
          )
          // The library hears of it a little later than the server says so.
          for (let turn = 0; turn < 20; turn += 1) await client.query('select')
        })

        expect(await codeOf(handled)).toBe('ONCEHOOK_STORE_UNAVAILABLE')
        await handle('evt_1', (tx) => client.insert(tx, 'evt_1'))
        expect(await rows()).toEqual(both)
      },
    )

    onServer('that loses its connection during the commit is not said to be committed', async ({ subject }) => {
      const { client, place, handle, rows } = subject
      await client.query(`
        create function "${place.schema}".die() returns trigger language plpgsql as
          'begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5); return null; end'`)
      await client.query(`
        create constraint trigger die after insert on "${place.schema}".client_effects
        deferrable initially deferred for each row execute function "${place.schema}".die()`)

      expect(await codeOf(handle('evt_1', (tx) => client.insert(tx, 'evt_1')))).toBe('ONCEHOOK_COMMIT_UNKNOWN')

      expect(await rows()).toEqual(nothing)
    })
  })
}
