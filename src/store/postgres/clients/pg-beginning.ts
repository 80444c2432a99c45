import type { SqlAsk } from '../sql-client.ts'
import type { PgConnection } from './pg-connection.ts'
import type { PgClient } from './pg-types.ts'

/** A transaction that begins with its first statement, so that the two are one message. */
export type Beginning = {
  /** Sends what begins it, unless that was sent. */
  readonly begin: () => Promise<unknown>
  /** Sends one statement without values, and what begins the transaction before it if that was not sent yet. */
  readonly ask: SqlAsk
  /** True if there is something to end. */
  readonly wasSent: () => boolean
  /** True once the server has answered, so that whatever is sent now is part of it. */
  readonly hasBegun: () => boolean
  /** The server's process, to end it from outside. */
  readonly processId: () => unknown
}

const processIdSql = 'select pg_backend_pid() as "processId"'

/** Connections without a pooler in between, which would have told its own number instead of the server's. They need not be asked again. */
const direct = new WeakSet<PgClient>()

export function beginLater(connection: PgConnection, opening: readonly string[]): Beginning {
  const { client } = connection
  let beginning: Promise<unknown> | undefined
  let hasBegun = false
  let processId: unknown = direct.has(client) ? client.processID : undefined

  async function send(statements: readonly string[]): Promise<readonly unknown[]> {
    const asked = processId === undefined ? [processIdSql] : []
    const results = await connection.sendAll([...opening, ...asked, ...statements].join(';'))
    hasBegun = true
    if (processId === undefined) {
      processId = results[opening.length]?.rows[0]?.['processId']
      if (typeof processId === 'number' && processId === client.processID) direct.add(client)
    }
    return results.at(-1)?.rows ?? []
  }

  return {
    begin: () => (beginning ??= send([])),
    ask: async <Row>(text: string) => {
      if (beginning === undefined) {
        const sending = send([text])
        beginning = sending
        return (await sending) as Row[]
      }
      await beginning
      const { rows } = await connection.send(text)
      return rows as Row[]
    },
    wasSent: () => beginning !== undefined,
    hasBegun: () => hasBegun,
    processId: () => processId,
  }
}
