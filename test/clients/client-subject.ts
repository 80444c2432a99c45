import { once } from 'node:events'
import type { RunLimits } from '../../src/store/store.ts'
import { handlerRun, limits, newReceipt } from '../store/store-under-test.ts'
import { forkProgram } from '../support/compiled.ts'
import type { ChildOptions } from './client-child.ts'
import type { ClientUnderTest, OpenClient } from './client-under-test.ts'
import type { TestPlace } from './test-place.ts'

export type ClientSuite<Tx> = {
  readonly open: OpenClient<Tx>
  /** Where `open` is exported, for a process of its own. */
  readonly file: string
  readonly exportName?: string
  /** `process`: there is no server that could end a connection or go on with a statement. */
  readonly runsIn: 'server' | 'process'
}

export type Subject<Tx> = {
  readonly place: TestPlace
  readonly client: ClientUnderTest<Tx>
  /** Events with a receipt, and events with an effect: always the same ones. */
  readonly rows: () => Promise<{ readonly receipts: readonly string[]; readonly effects: readonly string[] }>
  readonly handle: (eventId: string, run: (tx: Tx) => Promise<unknown>, parts?: Partial<RunLimits>) => Promise<void>
}

export async function prepare<Tx>({ open }: ClientSuite<Tx>, place: TestPlace): Promise<Subject<Tx>> {
  const client = await open(place)
  await client.store.migrate()
  await client.query(`create table "${place.schema}".client_effects (id serial primary key, event_id text not null)`)
  return subjectOf(client, place)
}

export async function reopen<Tx>({ open }: ClientSuite<Tx>, place: TestPlace): Promise<Subject<Tx>> {
  return subjectOf(await open(place), place)
}

function subjectOf<Tx>(client: ClientUnderTest<Tx>, place: TestPlace): Subject<Tx> {
  const eventIds = async (table: string): Promise<readonly string[]> => {
    const found = await client.query<{ event_id: string }>(
      `select event_id from "${place.schema}".${table} order by event_id`,
    )
    return found.map(({ event_id }) => event_id)
  }
  return {
    place,
    client,
    rows: async () => ({ receipts: await eventIds('receipts'), effects: await eventIds('client_effects') }),
    handle: (eventId, run, parts) =>
      client.store.transaction(async (transaction) => {
        const receipt = newReceipt({ eventId, disposition: 'inline' })
        const { receiptId = '' } = await transaction.recordReceipt(receipt)
        await transaction.runHandler(run, limits(parts))
        await transaction.finishInline({
          receiptId,
          key: receipt,
          runs: [handlerRun()],
          next: 'processed',
          endings: [],
        })
      }),
  }
}

export async function close<Tx>({ client }: Subject<Tx>): Promise<void> {
  await client.store.close()
  await client.close()
}

/** Libraries without nested transactions leave savepoints to statements. */
export async function nested<Tx>(
  client: ClientUnderTest<Tx>,
  tx: Tx,
  work: (inner: Tx) => Promise<unknown>,
): Promise<unknown> {
  if (client.nested !== undefined) return client.nested(tx, work)
  await client.execute(tx, 'savepoint mine')
  try {
    return await work(tx)
  } catch (error) {
    await client.execute(tx, 'rollback to savepoint mine')
    throw error
  }
}

/** Answers with the signal that ended the process. */
export async function dieHandling<Tx>(
  { file, exportName = 'open' }: ClientSuite<Tx>,
  { url, schema, directory }: TestPlace,
  eventId: string,
): Promise<unknown> {
  // It runs compiled.
  const compiled = file.replace(/\.ts$/, '.js')
  const options: ChildOptions = { url, schema, directory, file: compiled, exportName, eventId }
  const child = await forkProgram('test/clients/client-child.ts', { CHILD_OPTIONS: JSON.stringify(options) })
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}
