import type { SendCall, SqlCall } from '../sql-client.ts'
import { storeUnavailable } from '../sql-errors.ts'
import type { PgConnection } from './pg-connection.ts'

/** A transaction that begins with its first statement, so that the two are one message. */
export type Beginning = {
  /** Sends what begins it, unless that was sent. */
  readonly begin: () => Promise<unknown>
  /** Sends a call, and what begins the transaction before it if that was not sent yet. */
  readonly call: SendCall
  /** True if there is something to end. */
  readonly wasSent: () => boolean
  /** True once the server has answered, so that whatever is sent now is part of it. */
  readonly hasBegun: () => boolean
}

export function beginLater(connection: PgConnection, opening: readonly string[]): Beginning {
  let beginning: Promise<unknown> | undefined
  let hasBegun = false

  async function send(calls: readonly SqlCall[]): Promise<Awaited<ReturnType<SendCall>>> {
    const landed = await connection.fly([...opening.map((text) => ({ text })), ...calls])
    hasBegun = true
    return landed.at(-1)?.rows ?? []
  }

  return {
    begin: () => (beginning ??= send([])),
    call: async (call) => {
      if (beginning === undefined) {
        const sending = send([call])
        beginning = sending
        return sending
      }
      await beginning
      const [landed] = await connection.fly([call])
      if (landed === undefined) throw storeUnavailable('it did not answer')
      return landed.rows
    },
    wasSent: () => beginning !== undefined,
    hasBegun: () => hasBegun,
  }
}
