import { describeError, type OncehookError } from '../../../errors.ts'
import type { SqlCall, SqlQuery } from '../sql-client.ts'
import { storeUnavailable } from '../sql-errors.ts'
import { connectionTimeout } from './pg-errors.ts'
import { canFly, fly, type Landed, type Rider } from './pg-flight.ts'
import type { PgClient, PgPool, PgResult } from './pg-types.ts'

/** A connection in our hands. While it is, a terminated backend is an event here and not the end of the process. */
export type PgConnection = {
  readonly client: PgClient
  readonly query: SqlQuery
  /** Sends a text of several statements; answers with the last result. */
  readonly send: (text: string) => Promise<PgResult<Record<string, unknown>>>
  /** Sends statements in one message, and answers with what became of each. */
  readonly fly: (calls: readonly SqlCall[]) => Promise<readonly Landed[]>
  /**
   * The same with statements of users after them, for which there is no time limit of ours. Whatever is sent after that counts on the calls, so
   * if one of those fails the connection is closed at once. Undefined where the client sends each statement by itself.
   */
  readonly flyWith: ((calls: readonly SqlCall[], riders: readonly Rider[]) => Promise<readonly Landed[]>) | undefined
  /** False for the first flight of a connection, which has to be one without users' statements. */
  readonly hasFlown: () => boolean
  /** The server's process, once it is known: asked for with the first flight. */
  readonly processId: () => number | undefined
  readonly isLost: () => boolean
  /** True if it was closed from this side, so that the server may not have noticed yet. */
  readonly isDestroyed: () => boolean
  /** What the server warned of since the last call. */
  readonly takeWarnings: () => readonly string[]
  /** Back to the pool, or out of it if it is broken. Later calls do nothing. */
  readonly release: () => void
  /** Out of the pool and closed at once. */
  readonly destroy: () => void
}

export type PgConnectionOptions = {
  readonly connectionTimeoutSeconds: number
  /** How long an answer to one of our own statements may take before the connection is given up. */
  readonly statementTimeoutSeconds: number
}

/** Takes a connection out of the pool, with a time limit of our own because the pool may have none. */
export function acquire(pool: PgPool, options: PgConnectionOptions): Promise<PgConnection> {
  const { connectionTimeoutSeconds } = options
  // Not by Promise.race: every transaction passes here, and that makes several promises more.
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(connectionTimeout(connectionTimeoutSeconds))
    }, connectionTimeoutSeconds * 1000)
    pool.connect().then(
      (client) => {
        clearTimeout(timer)
        // A connection that comes after all must not be lost to the pool.
        if (isLate) client.release()
        else resolve(hold(client, options))
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(notConnected(error, connectionTimeoutSeconds))
      },
    )
  })
}

function notConnected(error: unknown, seconds: number): OncehookError {
  const isTimeout = error instanceof Error && /timeout/i.test(error.message)
  return isTimeout
    ? connectionTimeout(seconds, error)
    : storeUnavailable(`a connection could not be opened (${describeError(error)})`, error)
}

function hold(client: PgClient, { statementTimeoutSeconds }: PgConnectionOptions): PgConnection {
  let lost: Error | undefined
  let isReleased = false
  let isDestroyed = false
  let warnings: string[] = []
  const onError = (error: Error): void => void (lost ??= error)
  const onEnd = (): void => void (lost ??= new Error('The connection ended.'))
  const onNotice = ({ message = '' }: { readonly message?: string | undefined }): void => void warnings.push(message)
  client.on('error', onError)
  client.on('end', onEnd)
  client.on('notice', onNotice)

  function release(how: 'keep' | 'destroy'): void {
    if (isReleased) return
    isReleased = true
    client.removeListener('notice', onNotice)
    if (how === 'destroy' || lost !== undefined) {
      isDestroyed = lost === undefined
      // The listener for errors stays: a connection that is closing can still report some.
      lost ??= new Error('The connection was destroyed.')
      client.release(true)
      return
    }
    client.removeListener('end', onEnd)
    client.release()
    client.removeListener('error', onError)
  }

  function answered<Result>(sending: Promise<unknown>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        release('destroy')
        reject(storeUnavailable(`it did not answer within ${statementTimeoutSeconds} s, so the connection was closed`))
      }, statementTimeoutSeconds * 1000)
      sending.then(
        (answer) => {
          clearTimeout(timer)
          resolve(answer as Result)
        },
        (error: Error) => {
          clearTimeout(timer)
          reject(error)
        },
      )
    })
  }

  /** The first flight of a connection also asks who answers: a pooler introduces itself by a number of its own. */
  async function flyAll(calls: readonly SqlCall[]): Promise<readonly Landed[]> {
    if (servers.has(client)) return answered(fly(client, { calls, parsed: parsedBy(client) }))
    const landed = await answered<readonly Landed[]>(fly(client, { calls: [...calls, processIdCall], parsed: 'anew' }))
    servers.set(client, Number(landed.at(-1)?.rows[0]?.[0]))
    return landed.slice(0, -1)
  }

  return {
    client,
    fly: flyAll,
    flyWith: canFly(client)
      ? (calls, riders) =>
          fly(client, { calls, riders, parsed: parsedBy(client), onGrounded: () => release('destroy') })
      : undefined,
    hasFlown: () => servers.has(client),
    processId: () => servers.get(client),
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      // Not prepared: a plan that was made while a table was small would be kept while it grows.
      const { rows } = await answered<PgResult<Row>>(client.query(text, [...values]))
      return rows
    },
    send: async (text) => {
      type Results = PgResult<Record<string, unknown>> | PgResult<Record<string, unknown>>[]
      const answer = await answered<Results>(client.query(text))
      const last = Array.isArray(answer) ? answer.at(-1) : answer
      if (last === undefined) throw storeUnavailable('it did not answer')
      return last
    },
    isLost: () => lost !== undefined,
    isDestroyed: () => isDestroyed,
    takeWarnings: () => {
      const taken = warnings
      warnings = []
      return taken
    },
    release: () => release('keep'),
    destroy: () => release('destroy'),
  }
}

const processIdCall: SqlCall = { text: 'select pg_backend_pid()::text' }

/** The server's process behind each connection that has flown. */
const servers = new WeakMap<PgClient, number>()

/** Kept where no pooler stands in between, which could hand every transaction to another server. */
function parsedBy(client: PgClient): 'kept' | 'anew' {
  return servers.get(client) === client.processID ? 'kept' : 'anew'
}
