import { type OncehookError, transactionClosed } from '../../../errors.ts'
import { endedTransaction, type GuardedTransaction } from '../guarded-transaction.ts'
import { leftStatements } from '../handler-transaction.ts'
import { findTransactionStatement } from '../transaction-statements.ts'
import { saysConnectionIsLost } from './library-errors.ts'

/**
 * What stands between a library and its connection during one of our transactions. Libraries build statements in many ways and send
 * them late, so not the methods are watched but the place that every statement has to pass.
 */
export type Leash = {
  /** Sends a statement, or refuses it if it may not be sent now. Our own statements do not come here. */
  readonly pass: <Answer>(text: string | undefined, send: () => PromiseLike<Answer>) => Promise<Answer>
  /** The parts of `pass`, for answers that are more than promises. Throws if it is refused. */
  readonly check: (text: string | undefined) => void
  /** Counts as running until it settles. */
  readonly watch: (answer: PromiseLike<unknown>) => void
  /** True once a handler has returned: whoever still waits for its statements waits in vain, and an error would end the process. */
  readonly isForgotten: () => boolean
  /** Gives the transaction object to a handler. */
  readonly guard: <Tx>(raw: Tx, options: GuardOptions) => GuardedTransaction<Tx>
  /** From now on only what ends the transaction may be sent. */
  readonly finish: () => void
  readonly isEnding: () => boolean
  /** To be told of every failed statement that does not pass here. */
  readonly noteFailure: (error: unknown) => void
  /** True if a statement of this transaction failed because its connection is gone. Errors of other things say the same words. */
  readonly isConnectionLost: () => boolean
  /** Settles as the work does, except when there is no transaction left: then the library must not try to end it. */
  readonly untilOver: (work: Promise<void>) => Promise<void>
  /** From now on nothing may be sent any more. */
  readonly close: () => void
  /** Throws if statements came after their handler had returned: they were refused, but somebody relies on them. */
  readonly assertNothingLate: () => void
}

export type GuardOptions = {
  readonly handler: string
  /** Methods that would take the transaction or its connection out of our hands. */
  readonly refused: readonly string[]
}

export function createLeash(): Leash {
  let mode: 'library' | 'handler' | 'revoked' | 'ending' | 'closed' = 'library'
  let handlerName = ''
  let refusal: OncehookError | undefined
  let hasReturned = false
  let isConnectionLost = false
  let lateStatements = 0
  const running = new Set<PromiseLike<unknown>>()

  function refuse(what: string): never {
    refusal = endedTransaction(handlerName, what)
    throw refusal
  }

  function refuseLate(): never {
    lateStatements += 1
    throw transactionClosed()
  }

  function check(text: string | undefined): void {
    if (mode === 'library') return
    const statement = text === undefined ? undefined : findTransactionStatement(text)
    if (mode === 'handler' && statement !== undefined) refuse(statement.toUpperCase())
    if (mode === 'revoked' || mode === 'closed' || (mode === 'ending' && statement === undefined)) refuseLate()
  }

  async function pass<Answer>(text: string | undefined, send: () => PromiseLike<Answer>): Promise<Answer> {
    try {
      check(text)
    } catch (error) {
      if (isForgotten()) return await neverSettling
      throw error
    }
    const isOfHandler = mode === 'handler'
    const answer = send()
    watch(answer)
    try {
      return await answer
    } catch (error) {
      noteFailure(error)
      if (isOfHandler && hasReturned) return await neverSettling
      throw error
    }
  }

  function noteFailure(error: unknown): void {
    if (saysConnectionIsLost(error)) isConnectionLost = true
  }

  async function untilOver(work: Promise<void>): Promise<void> {
    const [settled] = await Promise.allSettled([work])
    if (isConnectionLost || mode === 'closed') return await neverSettling
    if (settled.status === 'rejected') throw settled.reason
  }

  function isForgotten(): boolean {
    return hasReturned && mode !== 'closed'
  }

  function watch(answer: PromiseLike<unknown>): void {
    running.add(answer)
    const forget = (): void => void running.delete(answer)
    answer.then(forget, forget)
  }

  function guard<Tx>(raw: Tx, { handler, refused }: GuardOptions): GuardedTransaction<Tx> {
    mode = 'handler'
    hasReturned = false
    handlerName = handler
    const { value, close } = guardObject(raw, (name) => {
      if (refused.includes(name)) refuse(`${name}()`)
    })
    return {
      value,
      revoke: () => {
        close()
        if (mode === 'handler') mode = 'revoked'
      },
      runningStatements: async () => {
        hasReturned = true
        // A statement that nobody awaits can be on its way through the library still; it ends at the leash.
        await new Promise((resolve) => setImmediate(resolve))
        return running.size + lateStatements
      },
      refusal: () => refusal,
    }
  }

  return {
    pass,
    check,
    watch,
    isForgotten,
    guard,
    finish: () => {
      if (mode !== 'closed') mode = 'ending'
    },
    noteFailure,
    isConnectionLost: () => isConnectionLost,
    untilOver,
    isEnding: () => mode === 'ending' || mode === 'closed',
    close: () => void (mode = 'closed'),
    assertNothingLate: () => {
      if (lateStatements > 0) throw leftStatements(handlerName, lateStatements)
    },
  }
}

const neverSettling = new Promise<never>(() => {})

/** The object itself, of which every use throws once it is closed. */
function guardObject<Tx>(raw: Tx, onCall: (name: string) => void): { readonly value: Tx; readonly close: () => void } {
  let isOpen = true
  const assertOpen = (): void => {
    if (!isOpen) throw transactionClosed()
  }

  const value: object = new Proxy(raw as object, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      // So that it can be printed, recognised and returned from an async function.
      if (typeof name === 'symbol' || name === 'then' || name === 'constructor') return member
      if (typeof member !== 'function') {
        assertOpen()
        return member
      }
      // A function can have members of its own, so it is not simply replaced by another.
      return new Proxy(member, {
        apply(method, self, parameters) {
          assertOpen()
          onCall(name)
          return Reflect.apply(method as () => unknown, self === value ? target : self, parameters) as unknown
        },
      })
    },
    apply(target, self, parameters) {
      assertOpen()
      return Reflect.apply(target as () => unknown, self, parameters) as unknown
    },
  })
  return { value: value as Tx, close: () => void (isOpen = false) }
}
