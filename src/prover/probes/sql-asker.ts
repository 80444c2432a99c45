import { invalidOptions, OncehookError } from '../../errors.ts'
import type { Asker } from './probe.ts'

/** The few methods of `pg` that are called. */
type Pool = {
  query(text: string, values: unknown[]): Promise<{ rows: readonly Readonly<Record<string, unknown>>[] }>
  end(): Promise<void>
  on(event: 'error', listener: () => void): unknown
}

/** Asks PostgreSQL. `:event` and `:object` in the statement, or `$1` and `$2`, are sent beside it, never put into it. */
export async function sqlAsker(databaseUrl: string, statement: string): Promise<Asker> {
  const { text, names } = parametersOf(statement)
  const pool = await openPool(databaseUrl)
  return {
    asksBy: names.includes('event') ? 'event' : 'object',
    async ask({ eventId, objectId }) {
      const values = names.map((name) => (name === 'event' ? eventId : (objectId ?? '')))
      const { rows } = await pool.query(text, values)
      return textOf(rows)
    },
    close: () => pool.end(),
  }
}

/** One value is told as it is, anything else as JSON. */
function textOf(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const cells = rows.length === 1 ? Object.values(rows[0] ?? {}) : []
  const [cell] = cells
  if (cells.length !== 1) return JSON.stringify(rows)
  return typeof cell === 'string' ? cell : JSON.stringify(cell ?? null)
}

/** The statement in PostgreSQL's own terms, and what its parameters stand for. */
export function parametersOf(statement: string): {
  readonly text: string
  readonly names: readonly ('event' | 'object')[]
} {
  const names: ('event' | 'object')[] = []
  // Not in quotes, and not the cast `::`.
  const text = statement.replaceAll(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<!:):(event|object)\b/g,
    (whole: string, name: 'event' | 'object' | undefined) => {
      if (name === undefined) return whole
      if (!names.includes(name)) names.push(name)
      return `$${names.indexOf(name) + 1}`
    },
  )
  if (names.length > 0) return { text, names }
  if (statement.includes('$2')) return { text, names: ['event', 'object'] }
  if (statement.includes('$1')) return { text, names: ['event'] }
  throw invalidOptions('The prover', [
    'The SQL of a probe has to ask for one event or one object: put :event or :object where its id belongs, ' +
      'as in "select count(*) from effects where event_id = :event".',
  ])
}

async function openPool(connectionString: string): Promise<Pool> {
  try {
    const { default: pg } = await import('pg')
    const pool: Pool = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: 10_000 })
    // A connection that breaks while nobody uses it is opened anew at the next question.
    pool.on('error', () => {})
    return pool
  } catch (error) {
    throw new OncehookError(
      'ONCEHOOK_MISSING_PACKAGE',
      'A probe in SQL needs the package pg: run "npm install pg", or use a probe by address or command.',
      { cause: error },
    )
  }
}
