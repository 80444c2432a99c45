import { createHash } from 'node:crypto'
import { sqlState } from '../sql-errors.ts'

/** Names for our own statements, so that the database plans each of them once for a connection. */
export type PreparedStatements = {
  /** Undefined where nothing may be prepared. */
  readonly nameOf: (text: string) => string | undefined
  /** True for the failure of a prepared statement that is not there: a pooler has put another connection in its place. */
  readonly isLost: (error: unknown) => boolean
}

const invalidName = '26000'
const duplicateName = '42P05'

/** Behind a pooler that shares connections, names mean nothing. The first failure that says so is the last: from then on nothing is prepared. */
export function createPreparedStatements(): PreparedStatements {
  const names = new Map<string, string>()
  let isAllowed = true
  return {
    nameOf(text) {
      if (!isAllowed) return undefined
      const known = names.get(text)
      if (known !== undefined) return known
      const name = `oncehook_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
      names.set(text, name)
      return name
    },
    isLost(error) {
      const state = sqlState(error)
      const isLost = state === invalidName || state === duplicateName
      if (isLost) isAllowed = false
      return isLost
    },
  }
}
