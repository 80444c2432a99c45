import { loadProvider } from '../../src/cli/provider-catalogue.ts'
import { createInbox } from '../../src/index.ts'
import { type ProveOptions, type ProverReport, prove } from '../../src/prover/prove.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { generateKeys } from '../../src/testing/provider-keys.ts'
import type { TestDatabase } from '../support/database.ts'

/** Runs the prover, in this process, on an inbox that has this provider for its only source. */
export async function proveProvider(
  name: string,
  { pool, schema, query }: TestDatabase,
  options: Partial<ProveOptions>,
): Promise<ProverReport> {
  const make = await loadProvider(name)
  if (make === undefined) throw new Error(`There is no provider ${name}.`)
  const [provider, stranger] = [1, 2].map(() => make(generateKeys(name, make, new Date())))
  if (provider === undefined || stranger === undefined) throw new Error('No keys.')
  await query(`create table if not exists "${schema}".provider_effects (source text, event_id text)`)
  const inbox = createInbox({
    store: postgresStore(pool, { schema }),
    sources: { [name]: provider },
    mode: 'inline',
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  inbox.on(name, '*', async (event, { tx }) => {
    await tx.query(`insert into "${schema}".provider_effects values ($1, $2)`, [name, event.id])
  })
  const handle = inbox.handler(name)
  try {
    return await prove({
      provider,
      stranger,
      copies: 6,
      lateSeconds: 0.1,
      send: ({ method, url, headers, body }) => {
        const pairs = [...headers].flatMap(([header, values]) =>
          values.map((value): [string, string] => [header, value]),
        )
        return handle(
          new Request(url, { method, headers: pairs, ...(method !== 'GET' && { body: Buffer.from(body) }) }),
        )
      },
      probe: async ({ eventId }) =>
        (await query(`select 1 from "${schema}".provider_effects where source = $1 and event_id = $2`, [name, eventId]))
          .length,
      ...options,
    })
  } finally {
    await inbox.stop()
  }
}
