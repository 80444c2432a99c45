import type { Rider } from './pg-flight.ts'
import type { PgClient } from './pg-types.ts'

/** A statement with values, in the form that `pg` itself would give it, and what will be answered to it. */
export type MakeRider = (parameters: readonly unknown[]) => {
  /** Undefined if it has to go alone: it may be several in one text, or `pg` keeps a record of its name. */
  readonly rider: Rider | undefined
  readonly answer: Promise<unknown>
}

/** The part of a query of `pg` that decides whether it can be sent with others. */
type PgQuery = Rider & {
  readonly text?: unknown
  readonly name?: unknown
  readonly rows?: unknown
  readonly values?: unknown
  requiresPreparation?(): boolean
  prepare?(wire: object): void
}

type QueryConstructor = new (...parameters: readonly unknown[]) => PgQuery

export function riderMaker(client: PgClient): MakeRider {
  const Query = (client.constructor as { readonly Query?: QueryConstructor }).Query
  // Values are read as the client reads them, unless a statement says otherwise.
  const types = { getTypeParser: client.getTypeParser?.bind(client) }

  return ([config, values]) => {
    let settle: (error: unknown, result: unknown) => void = () => {}
    const answer = new Promise<unknown>((resolve, reject) => {
      settle = (error, result) => (error === null || error === undefined ? resolve(result) : reject(error))
    })
    if (Query === undefined) return { rider: undefined, answer }
    const own = typeof config === 'string' ? { text: config, types } : copyOf(config, types)
    const query = new Query(own, Array.isArray(values) ? values : undefined, settle)
    return { rider: canRide(query) ? query : undefined, answer }
  }
}

function canRide(query: PgQuery): boolean {
  const { text, name, rows, values } = query
  if (typeof text !== 'string' || name !== undefined || rows !== undefined || !Array.isArray(values)) return false
  return query.requiresPreparation?.() === true && typeof query.prepare === 'function'
}

/** `pg` may write into what it is given, and the user may give the same again. */
function copyOf(config: unknown, types: object): object {
  const copy = Object.create(typeof config === 'object' ? config : null) as { types?: unknown }
  copy.types ??= types
  return copy
}
