import type { Rider } from './pg-flight.ts'
import type { PgClient } from './pg-types.ts'

/** The part of a query of `pg` that decides whether it can be sent with others. */
type PgQuery = Rider & {
  readonly text?: unknown
  readonly name?: unknown
  readonly rows?: unknown
  readonly values?: unknown
  readonly _result?: { _types?: unknown }
  requiresPreparation?(): boolean
  prepare?(wire: object): void
}

type QueryConstructor = new (...parameters: readonly unknown[]) => PgQuery

/**
 * A statement with values, in the form that `pg` itself would give it. Without a rider it has to go alone: it may be several in one text, or
 * `pg` keeps a record of its name.
 */
export function riderOf(
  client: PgClient,
  parameters: readonly unknown[],
): { readonly rider: Rider | undefined; readonly answer: Promise<unknown> } {
  const Query = (client.constructor as { readonly Query?: QueryConstructor }).Query
  const [config, values] = parameters
  let settle: (error: unknown, result: unknown) => void = () => {}
  const answer = new Promise<unknown>((resolve, reject) => {
    settle = (error, result) => (error === null || error === undefined ? resolve(result) : reject(error as Error))
  })
  if (Query === undefined) return { rider: undefined, answer }
  // `pg` writes into what it is given, and the user may give the same again.
  const own: unknown = typeof config === 'object' && config !== null ? Object.create(config) : config
  const query = new Query(own, Array.isArray(values) ? values : undefined, settle)
  const isAlone =
    typeof query.text !== 'string' ||
    query.name !== undefined ||
    query.rows !== undefined ||
    !Array.isArray(query.values)
  if (isAlone || query.requiresPreparation?.() !== true || typeof query.prepare !== 'function') {
    return { rider: undefined, answer }
  }
  // As the client does with every query it is given.
  if (query._result !== undefined) query._result._types ??= (client as { readonly _types?: unknown })._types
  return { rider: query, answer }
}
