import { transactionClosed } from '../../../errors.ts'
import type { SendCall, SqlCall } from '../sql-client.ts'
import { storeUnavailable } from '../sql-errors.ts'
import type { PgConnection } from './pg-connection.ts'

/** A transaction that begins with its first statement, so that the two are one message. */
export type Beginning = {
  /** Sends what begins it, unless that was sent. */
  readonly begin: () => Promise<unknown>
  /** Sends something once it has begun; at once if it has, so that the order stays as it is. */
  readonly after: <Result>(send: () => Promise<Result>) => Promise<Result>
  /** Sends a call, and what begins the transaction before it if that was not sent yet. */
  readonly call: SendCall
  /** Sends something else, with what begins the transaction if that was not sent yet. What fails to begin is to be the end of the connection. */
  readonly join: <Result>(send: (opening: readonly SqlCall[]) => Promise<Result>) => Promise<Result>
  /** The transaction is about to end: what still waits for its beginning is not sent, because it would be outside of it. */
  readonly close: () => void
  /** True if there is something to end. */
  readonly wasSent: () => boolean
  /** True once the server has answered, so that whatever is sent now is part of it. */
  readonly hasBegun: () => boolean
}

export function beginLater(connection: PgConnection, statements: readonly string[]): Beginning {
  const opening = statements.map((text) => ({ text }))
  let beginning: Promise<unknown> | undefined
  let hasBegun = false
  let isClosed = false

  function join<Result>(send: (opening: readonly SqlCall[]) => Promise<Result>): Promise<Result> {
    if (beginning !== undefined) return send([])
    const sending = send(opening)
    beginning = sending.then(() => void (hasBegun = true))
    // Whoever sends it looks at its failure.
    beginning.catch(() => {})
    return sending
  }

  async function send(calls: readonly SqlCall[]): Promise<Awaited<ReturnType<SendCall>>> {
    const landed = await join((begin) => connection.fly([...begin, ...calls]))
    hasBegun = true
    return landed.at(-1)?.rows ?? []
  }

  function begin(): Promise<unknown> {
    return beginning ?? send([])
  }

  async function after<Result>(sendIt: () => Promise<Result>): Promise<Result> {
    if (!hasBegun) await begin()
    if (isClosed) throw transactionClosed()
    return sendIt()
  }

  return {
    begin,
    after,
    join,
    close: () => void (isClosed = true),
    call: async (call) => {
      if (beginning === undefined) return send([call])
      const [landed] = await after(() => connection.fly([call]))
      if (landed === undefined) throw storeUnavailable('it did not answer')
      return landed.rows
    },
    wasSent: () => beginning !== undefined,
    hasBegun: () => hasBegun,
  }
}
