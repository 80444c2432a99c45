import type { Leash } from './leash.ts'

/** The part of a transaction of `postgres` that is needed here. */
export type PostgresJsTransaction = {
  (strings: TemplateStringsArray, ...values: unknown[]): unknown
  unsafe(text: string, values?: never[]): PromiseLike<readonly unknown[]>
  savepoint(...parameters: unknown[]): Promise<unknown>
}

/** A query of `postgres`: it is sent, by its handler, when it is first awaited. As a part of another one it never is. */
type Query = PromiseLike<unknown> & {
  handler: (query: Query) => void
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  reject: (error: unknown) => void
}

/** The same `sql`, whose queries pass the leash when they are sent, also those of its savepoints. */
export function leashSql(sql: PostgresJsTransaction, leash: Leash): PostgresJsTransaction {
  const leashed = (...parameters: unknown[]): unknown => leashQuery(Reflect.apply(sql, undefined, parameters), leash)
  return new Proxy(sql, {
    apply: (_, __, parameters) => leashed(...(parameters as unknown[])),
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (name === 'unsafe' || name === 'file') {
        return (...parameters: unknown[]): unknown => leashQuery(Reflect.apply(member, target, parameters), leash)
      }
      if (name === 'savepoint') {
        return (...parameters: unknown[]): unknown => {
          const work = parameters.at(-1)
          if (typeof work !== 'function') return Reflect.apply(member, target, parameters)
          const inner = (nested: PostgresJsTransaction): unknown =>
            Reflect.apply(work, undefined, [leashSql(nested, leash)])
          return Reflect.apply(member, target, [...parameters.slice(0, -1), inner])
        }
      }
      return member
    },
  })
}

function leashQuery(made: unknown, leash: Leash): unknown {
  if (!isQuery(made)) return made
  const send = made.handler
  const check = (query: Query): void => {
    const reject = query.reject
    query.reject = (error) => {
      leash.noteFailure(error)
      if (!leash.isForgotten()) reject(error)
    }
    try {
      leash.check(textOf(query))
    } catch (error) {
      query.reject(error)
      return
    }
    send(query)
    leash.watch(query)
  }
  // The library reads members of the handler.
  made.handler = Object.assign(check, send)
  return made
}

function isQuery(value: unknown): value is Query {
  return typeof value === 'object' && value !== null && 'handler' in value && 'strings' in value
}

/** With the parts that are queries themselves; other values are parameters or names. */
function textOf({ strings, args }: Query): string {
  return strings.map((text, index) => text + (isQuery(args[index]) ? textOf(args[index]) : ' ')).join('')
}
