import { OncehookError } from '../../../errors.ts'
import { sqlState } from '../sql-errors.ts'
import type { PgPool } from './pg-types.ts'

export type OwnPoolOptions = {
  readonly url: string
  readonly maximumConnections: number
  readonly connectionTimeoutSeconds: number
  readonly statementTimeoutSeconds: number
}

/** A pool that is opened at the first use. */
export type OwnPool = { readonly pool: () => Promise<PgPool>; readonly close: () => Promise<void> }

type PoolConstructor = new (config: Readonly<Record<string, unknown>>) => PgPool

/**
 * Settings go with the connection's start, so that they hold for every statement and no statement is needed for them.
 * The check of the connection frees the locks of a process that died during a long statement.
 */
function startupOptions({ statementTimeoutSeconds }: OwnPoolOptions): string {
  const settings = {
    default_transaction_isolation: String.raw`read\ committed`,
    statement_timeout: `${statementTimeoutSeconds}s`,
    lock_timeout: '10s',
    idle_in_transaction_session_timeout: '60s',
    client_connection_check_interval: '500ms',
  }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

export function ownPool(options: OwnPoolOptions): OwnPool {
  let opening: Promise<PgPool> | undefined
  return {
    pool: async () => {
      opening ??= open(options)
      try {
        return await opening
      } catch (error) {
        opening = undefined
        throw error
      }
    },
    close: async () => {
      const pool = await opening?.catch(() => undefined)
      await pool?.end()
    },
  }
}

async function open(options: OwnPoolOptions): Promise<PgPool> {
  const Pool = await importPool()
  const pool = createPool(Pool, options, { options: startupOptions(options) })
  try {
    const client = await pool.connect()
    client.release()
    return pool
  } catch (error) {
    // Poolers refuse settings they do not know, and some servers cannot check connections.
    if (!isSettingRefused(error)) return pool
    await pool.end()
    return createPool(Pool, options, {})
  }
}

function createPool(Pool: PoolConstructor, options: OwnPoolOptions, more: Readonly<Record<string, unknown>>): PgPool {
  const pool = new Pool({
    connectionString: options.url,
    max: options.maximumConnections,
    connectionTimeoutMillis: options.connectionTimeoutSeconds * 1000,
    application_name: 'oncehook',
    keepAlive: true,
    allowExitOnIdle: true,
    ...more,
  })
  // An idle connection that is terminated is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}

function isSettingRefused(error: unknown): boolean {
  const state = sqlState(error)
  return state === '22023' || (state === '08P01' && error instanceof Error && /startup parameter/i.test(error.message))
}

async function importPool(): Promise<PoolConstructor> {
  try {
    const { default: pg } = (await import('pg')) as unknown as { readonly default: { readonly Pool: PoolConstructor } }
    return pg.Pool
  } catch (error) {
    throw new OncehookError(
      'ONCEHOOK_MISSING_PACKAGE',
      'A connection string needs the package "pg", which is not installed. Run `npm install pg`.',
      { cause: error },
    )
  }
}
