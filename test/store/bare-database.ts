import { randomInt } from 'node:crypto'
import { createPgClient } from '../../src/store/postgres/clients/pg-client.ts'
import type { Database } from '../../src/store/postgres/database.ts'
import { quotedSchema } from '../../src/store/postgres/schema-name.ts'
import type { TestDatabase } from '../support/database.ts'

/** Without the store around it, which would send a statement again that lost, and without what makes calls cheaper. */
export function bareDatabase(database: TestDatabase): Database {
  const { query } = clientOf(database)
  return { query, schema: quotedSchema(database.schema), takesBinary: true, wakeChannel: undefined }
}

/** The same with it. The texts of all calls are added to `texts`. */
export function callingDatabase(database: TestDatabase, texts: string[] = []): Database {
  const { call } = clientOf(database)
  if (call === undefined) throw new Error('The client sends no calls.')
  return {
    ...bareDatabase(database),
    call: (given) => {
      texts.push(given.text)
      return call(given)
    },
  }
}

function clientOf({ pool }: TestDatabase): ReturnType<typeof createPgClient> {
  return createPgClient({
    pool: async () => pool,
    poolSize: 5,
    connectionTimeoutSeconds: 10,
    statementTimeoutSeconds: 30,
    close: async () => {},
  })
}

/** As if the event had been pruned, and its key kept. */
export async function keepKey({ query, schema }: TestDatabase, environment: string, eventId: string): Promise<void> {
  await query(
    `insert into "${schema}".event_keys (key, receipt_id)
     values (left(encode(sha256(convert_to($1 || '/stripe/' || $2, 'UTF8')), 'hex'), 32)::uuid, 1000000)`,
    [environment, eventId],
  )
}

type Gate = { readonly waiting: () => Promise<number>; readonly open: () => Promise<void> }

/** Whoever is about to insert a receipt with one of these ids waits until the gate is opened. */
export async function gateBefore({ pool, query, schema }: TestDatabase, ids: readonly string[]): Promise<Gate> {
  const number = randomInt(2 ** 31 - 1)
  await query(
    `create function "${schema}".pause() returns trigger language plpgsql as $$ begin
       perform pg_advisory_xact_lock_shared(${number});
       return new;
     end $$`,
  )
  await query(
    `create trigger pause before insert on "${schema}".receipts for each row
     when (new.event_id in (${ids.map((id) => `'${id}'`).join(', ')})) execute function "${schema}".pause()`,
  )
  const gate = await pool.connect()
  await gate.query('select pg_advisory_lock($1)', [number])
  return {
    waiting: async () =>
      (await query("select pid from pg_locks where locktype = 'advisory' and objid = $1 and not granted", [number]))
        .length,
    open: async () => {
      await gate.query('select pg_advisory_unlock($1)', [number])
      gate.release()
    },
  }
}
