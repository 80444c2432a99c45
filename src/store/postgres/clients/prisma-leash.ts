import type { Leash } from './leash.ts'

type Anything = Readonly<Record<PropertyKey, unknown>>

/** Prisma's promises send nothing until they are awaited, so that is where they meet the leash. */
export function leashPrisma<Tx>(transaction: Tx, leash: Leash): Tx {
  return leashMembers(transaction as object, leash) as Tx
}

/** A transaction, or one of its models: what its methods answer with is leashed. */
function leashMembers(holder: object, leash: Leash): object {
  return new Proxy(holder, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name === 'symbol' || name === 'then' || name === 'constructor') return member
      if (typeof member === 'function') {
        return (...parameters: unknown[]): unknown => {
          const answer: unknown = Reflect.apply(
            member,
            target,
            parameters.map((one) => leashNested(one, leash)),
          )
          return leashAnswer(answer, textOf(name, parameters), leash)
        }
      }
      return typeof member === 'object' && member !== null ? leashMembers(member, leash) : member
    },
  })
}

/** The work of a nested transaction gets an object of its own. */
function leashNested(parameter: unknown, leash: Leash): unknown {
  if (typeof parameter !== 'function') return parameter
  return (inner: unknown): unknown =>
    Reflect.apply(parameter, undefined, [
      typeof inner === 'object' && inner !== null ? leashMembers(inner, leash) : inner,
    ])
}

function leashAnswer(answer: unknown, text: string | undefined, leash: Leash): unknown {
  if (!isThenable(answer)) return answer
  const send = (): Promise<unknown> => leash.pass(text, () => answer)
  const ways: Anything = {
    // oxlint-disable-next-line unicorn/no-thenable -- It stands for a promise.
    then: (resolve?: () => unknown, reject?: () => unknown) => send().then(resolve, reject),
    catch: (reject?: () => unknown) => send().catch(reject),
    finally: (after?: () => void) => send().finally(after),
  }
  return new Proxy(answer, {
    get(target, name) {
      const way = ways[name]
      if (way !== undefined) return way
      const member: unknown = Reflect.get(target, name)
      // A relation of what is looked for: another promise, of one statement with this one.
      if (typeof member === 'function' && typeof name === 'string') {
        return (...parameters: unknown[]): unknown =>
          leashAnswer(Reflect.apply(member, target, parameters), undefined, leash)
      }
      return member
    },
  })
}

function isThenable(value: unknown): value is PromiseLike<unknown> & object {
  return typeof value === 'object' && value !== null && typeof (value as Anything)['then'] === 'function'
}

/** Prisma makes all other statements itself. */
function textOf(name: string, [first]: readonly unknown[]): string | undefined {
  if (!/^\$(?:query|execute)Raw/.test(name)) return undefined
  if (typeof first === 'string') return first
  if (Array.isArray(first)) return first.join(' ')
  const strings = (first as { readonly strings?: unknown } | undefined)?.strings
  return Array.isArray(strings) ? strings.join(' ') : undefined
}
