import { callbackify } from 'node:util'
import type { Leash } from './leash.ts'
import type { PgConnection } from './pg-connection.ts'
import type { PgClient } from './pg-types.ts'

type Callback = (error: unknown, result: unknown) => void

/**
 * A client of `pg` for a library's transaction: the same client, whose statements pass the leash. It is never given back, so that
 * whatever holds on to it after the transaction still meets the leash.
 */
export function leashPgClient({ client, send }: PgConnection, leash: Leash, onEnd: (tag: string) => void): PgClient {
  function query(...parameters: unknown[]): unknown {
    const [first] = parameters
    const last = parameters.at(-1)
    // A cursor or a stream, which answers in its own way.
    if (hasMember(first, 'submit')) {
      leash.check(textOf(first))
      return Reflect.apply(Reflect.get(client, 'query'), client, parameters)
    }
    const given = typeof last === 'function' ? parameters.slice(0, -1) : parameters
    const text = textOf(first)
    const answer = leash.pass(text, () =>
      endsTransaction(text)
        ? // Ours, because it has a time limit and tells what the server answered.
          send(text).then((result) => {
            onEnd(result.command)
            return result
          })
        : (Reflect.apply(Reflect.get(client, 'query'), client, given) as Promise<unknown>),
    )
    if (typeof last !== 'function') return answer
    callbackify(() => answer)(last as Callback)
    return undefined
  }

  return new Proxy(client, {
    get(target, name) {
      if (name === 'query') return query
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' && name !== 'constructor' ? member.bind(target) : member
    },
  })
}

function endsTransaction(text: string | undefined): text is string {
  return text !== undefined && /^\s*(?:commit|rollback)\s*;?\s*$/i.test(text)
}

function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query
  return hasMember(query, 'text') && typeof query['text'] === 'string' ? query['text'] : undefined
}

function hasMember<Name extends string>(value: unknown, name: Name): value is Readonly<Record<Name, unknown>> {
  return typeof value === 'object' && value !== null && name in value
}
