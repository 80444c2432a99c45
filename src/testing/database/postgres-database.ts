import { invalidOptions, OncehookError } from '../../errors.ts'
import { type PgPool, postgresStore } from '../../store/postgres/postgres-store.ts'
import {
  createSchema,
  dropSchema,
  newSchema,
  type Query,
  schemaVerbs,
  searchPathOf,
  type ThrowAwayDatabase,
} from './throw-away-database.ts'

/** The few methods of a `pg` Pool that are called. */
type Pool = PgPool & {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
}

/** A schema of a PostgreSQL. */
export async function postgresDatabase(url: string): Promise<ThrowAwayDatabase> {
  const schema = newSchema()
  const searchPath = searchPathOf(schema)
  const pool = await openPool(withSearchPath(url, searchPath))
  const query: Query = async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await pool.query(text, [...values])
    return rows as Row[]
  }
  await createSchema(query, schema)
  return {
    place: { schema, searchPath, pool, pglite: undefined },
    query,
    makeStore: () => postgresStore(pool, { schema }),
    ...schemaVerbs(query, schema),
    async drop() {
      await dropSchema(query, schema)
      await pool.end()
    },
  }
}

/** Every connection has it from its first moment. Spaces would end the setting. */
function withSearchPath(url: string, searchPath: string): string {
  if (!URL.canParse(url))
    throw invalidOptions('The test inbox', ['"url" is not an address, as in postgres://localhost/test.'])
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  address.searchParams.set('options', `${given} -c search_path=${searchPath.replaceAll(/[" ]/g, '')}`.trim())
  return address.href
}

async function openPool(connectionString: string): Promise<Pool> {
  try {
    const { default: pg } = await import('pg')
    return new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 10_000 })
  } catch (error) {
    throw new OncehookError(
      'ONCEHOOK_MISSING_PACKAGE',
      'A test inbox with "url" needs the package pg: run "npm install pg", or leave "url" out for an embedded database.',
      { cause: error },
    )
  }
}
