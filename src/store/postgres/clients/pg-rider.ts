import type { Rider } from './pg-flight.ts'
import type { PgClient } from './pg-types.ts'

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
    settle = (error, result) => (error === null || error === undefined ? resolve(result) : reject(error))
  })
  if (Query === undefined) return { rider: undefined, answer }
  const query = new Query(ownConfig(client, config), Array.isArray(values) ? values : undefined, settle)
  const isAlone =
    typeof query.text !== 'string' ||
    query.name !== undefined ||
    query.rows !== undefined ||
    !Array.isArray(query.values)
  if (isAlone || query.requiresPreparation?.() !== true || typeof query.prepare !== 'function') {
    return { rider: undefined, answer }
  }
  return { rider: query, answer }
}

/** `pg` writes into what it is given, and the user may give the same again. Values are read as the client reads them, unless told otherwise. */
function ownConfig(client: PgClient, config: unknown): object {
  const given = typeof config === 'object' && config !== null ? config : { text: config }
  const own = Object.create(given) as { types?: unknown }
  own.types ??= { getTypeParser: client.getTypeParser?.bind(client) }
  return own
}
