import { OncehookError, transactionClosed } from '../../errors.ts'
import { findTransactionStatement } from './transaction-statements.ts'

/** Which methods of a library's transaction object must be watched. */
export type TransactionGuard = {
  /** Methods that send statements, and how to find the text among their arguments. */
  readonly statements: Readonly<Record<string, (parameters: readonly unknown[]) => string | undefined>>
  /** Methods that would take the transaction or its connection out of our hands. */
  readonly refused: readonly string[]
}

/** A user's transaction object on a leash. */
export type GuardedTransaction<Tx> = {
  readonly value: Tx
  /** From now on every use throws. */
  readonly revoke: () => void
  /** How many statements were sent and not yet answered. */
  readonly runningStatements: () => number | Promise<number>
  /** What the handler tried and was refused, even if it swallowed the error. */
  readonly refusal: () => OncehookError | undefined
}

/** Methods that are called in place of the object's own. */
export type Substitutes = Readonly<Record<string, (...parameters: readonly unknown[]) => unknown>>

/** Statements that begin or end a transaction are refused before they are sent. */
export function guardTransaction<Tx>(
  raw: Tx,
  guard: TransactionGuard,
  { handler, instead }: { readonly handler: string; readonly instead?: Substitutes | undefined },
): GuardedTransaction<Tx> {
  let isOpen = true
  let refusal: OncehookError | undefined
  const running = new Set<Promise<unknown>>()

  function refuse(what: string): never {
    refusal = endedTransaction(handler, what)
    throw refusal
  }

  function send(target: object, name: string, parameters: readonly unknown[]): unknown {
    if (!isOpen) throw transactionClosed()
    if (guard.refused.includes(name)) refuse(`${name}()`)
    const text = guard.statements[name]?.(parameters)
    const statement = text === undefined ? undefined : findTransactionStatement(text)
    if (statement !== undefined) refuse(statement.toUpperCase())
    const method = instead?.[name] ?? (Reflect.get(target, name) as () => unknown)
    const answer: unknown = Reflect.apply(method, target, parameters)
    if (guard.statements[name] !== undefined && answer instanceof Promise) watch(answer)
    return answer
  }

  function watch(answer: Promise<unknown>): void {
    running.add(answer)
    const forget = (): void => void running.delete(answer)
    // Also marks a failure as seen: a statement that nobody awaits must not end the process, it is reported as left running.
    answer.then(forget, forget)
  }

  const value = new Proxy(raw as object, {
    get(target, name) {
      // So that it can be printed and returned from an async function.
      if (typeof name === 'symbol' || name === 'then') return Reflect.get(target, name) as unknown
      const member: unknown = Reflect.get(target, name)
      const isAsync = guard.statements[name] !== undefined
      if (typeof member === 'function') {
        return (...parameters: unknown[]): unknown => {
          if (!isAsync) return send(target, name, parameters)
          try {
            return send(target, name, parameters)
          } catch (error) {
            return Promise.reject(error)
          }
        }
      }
      if (!isOpen) throw transactionClosed()
      return member
    },
  })

  return {
    value: value as Tx,
    revoke: () => void (isOpen = false),
    runningStatements: () => running.size,
    refusal: () => refusal,
  }
}

/** The transaction is the package's to end, because the receipt is in it. */
export function endedTransaction(handler: string, what: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_HANDLER_ENDED_TRANSACTION',
    `Handler "${handler}" used ${what}, but its transaction also holds the receipt and is committed when the handler returns. ` +
      'Throw to roll back; use savepoints for a part that may fail; use a connection of your own for a transaction of your own.',
  )
}
