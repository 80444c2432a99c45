import type { Handler, Store } from '../index.ts'
import type { SqlTransaction } from './open-store.ts'

/** What the demo handlers did, as anybody can count it. */
export type DemoEffects = {
  readonly prepare: () => Promise<void>
  /** Writes one row through the handler's own transaction. */
  readonly handler: Handler<SqlTransaction>
  /** How many rows there are for these events. */
  readonly count: (source: string, eventIds: readonly string[]) => Promise<number>
}

/** No unique constraint, on purpose: if an event took effect twice, there would be two rows. */
const createSql = `
  create table if not exists oncehook_demo_effects (
    source text not null,
    event_id text not null,
    type text not null,
    at timestamptz not null default now()
  )`

const insertSql = 'insert into oncehook_demo_effects (source, event_id, type) values ($1, $2, $3)'

const countSql = `
  select count(*)::int as "count" from oncehook_demo_effects
  where source = $1 and event_id in (select json_array_elements_text($2::json))`

/** A table of visible effects, in the store's own database. */
export function createDemoEffects(store: Store<SqlTransaction>): DemoEffects {
  const run = (text: string, values: unknown[]): Promise<readonly unknown[]> =>
    store.transaction((transaction) =>
      transaction.runHandler(async (tx) => (await tx.query(text, values)).rows, {
        handler: 'demo effects',
        timeoutSeconds: 10,
        abort: new AbortController(),
      }),
    )
  return {
    async prepare() {
      // Of two receivers that start together, one may find the table neither there nor free to make.
      await run(createSql, []).catch(() => run(createSql, []))
    },
    async handler({ source, id, type }, { tx }) {
      await tx.query(insertSql, [source, id, type])
    },
    async count(source, eventIds) {
      const [row] = (await run(countSql, [source, JSON.stringify(eventIds)])) as readonly { readonly count: number }[]
      return row?.count ?? 0
    },
  }
}
