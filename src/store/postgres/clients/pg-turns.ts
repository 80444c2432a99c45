import { callbackify } from 'node:util'
import { transactionClosed } from '../../../errors.ts'
import type { Substitutes } from '../guarded-transaction.ts'
import type { SendCall, SqlQuery } from '../sql-client.ts'
import { storeUnavailable } from '../sql-errors.ts'
import type { Beginning } from './pg-beginning.ts'
import type { PgConnection } from './pg-connection.ts'
import type { Rider } from './pg-flight.ts'
import { riderMaker } from './pg-rider.ts'

/**
 * Lets handlers that run at once use one transaction as if they ran one after another: what they have to say goes out in one message, and the
 * statements of one are never separated by those of another. One whose turn is over and that has another statement is refused it; the
 * transaction is then to be rolled back.
 */
export type Turns = {
  /** `beside`: there are others, whose statements are waited for until this turn of the event loop is over. */
  readonly take: (company: 'alone' | 'beside') => Turn
  /** The transaction is about to end: what was not sent by now never will be, because it would be outside of it. */
  readonly close: () => void
}

/** What one handler has to do with the transaction. */
export type Turn = {
  /** What the handler calls in place of the client's own method. */
  readonly instead: Substitutes
  readonly query: SqlQuery
  readonly call: SendCall
  /** The handler has returned. Throws if it was refused a statement, even if it swallowed that error. */
  readonly end: () => void
  /** True if it did nothing but send its statements, all of them at once, and wait for the answers. */
  readonly wasBrief: () => boolean
}

type Speaker = { isOver: boolean; isDone: boolean; isBrief: boolean; isWaiting: boolean; hasHeard: boolean }

/** A statement that waits to be sent, with others or by itself. */
type Leaving =
  | { readonly rider: Rider }
  | { readonly send: () => Promise<void>; readonly callback: (error: unknown) => void }

/** Only where the client does not send each statement by itself. */
export function createTurns(
  { client, fly, query: sendQuery }: PgConnection,
  flyWith: NonNullable<PgConnection['flyWith']>,
  beginning: Beginning,
): Turns {
  const riderOf = riderMaker(client)
  let line: Leaving[] = []
  let last: Speaker | undefined
  let isScheduled = false
  let isFlying = false
  let watched: Speaker[] = []
  let isClosed = false

  const sendNow = (parameters: readonly unknown[]): unknown =>
    Reflect.apply(Reflect.get(client, 'query') as () => unknown, client, parameters)

  return {
    take,
    close() {
      isClosed = true
      const left = line
      line = []
      for (const one of left) ('rider' in one ? one.rider : one).callback(transactionClosed())
    },
  }

  function take(company: 'alone' | 'beside'): Turn {
    const speaker: Speaker = { isOver: false, isDone: false, isBrief: true, isWaiting: false, hasHeard: false }
    let refusal: Error | undefined
    if (company === 'beside') watch(speaker)

    function refuse(why: string): never {
      refusal = new Error(why)
      speaker.isBrief = false
      throw refusal
    }

    function speak(): void {
      if (isClosed) throw transactionClosed()
      if (speaker.isOver) refuse('This handler has another statement after one of a handler that runs beside it.')
      if (speaker.hasHeard) speaker.isBrief = false
      speaker.isWaiting = true
      if (last !== undefined && last !== speaker) last.isOver = true
      last = speaker
    }

    function hear(): void {
      speaker.isWaiting = false
      speaker.hasHeard = true
      if (company === 'beside') watch(speaker)
    }

    function queue(leaving: Leaving): void {
      line.push(leaving)
      if (company === 'alone') depart()
      else schedule()
    }

    /** By itself, in its place among the others. */
    async function alone<Result>(send: () => Promise<Result>): Promise<Result> {
      speak()
      try {
        return await new Promise<Result>((resolve, reject) => {
          queue({ send: () => send().then(resolve, reject), callback: reject })
        })
      } finally {
        hear()
      }
    }

    async function statement(parameters: readonly unknown[]): Promise<unknown> {
      const send = (): Promise<unknown> => sendNow(parameters) as Promise<unknown>
      if (company === 'alone' && beginning.hasBegun()) return send()
      const { rider, answer } = riderOf(parameters)
      if (rider === undefined) return alone(send)
      speak()
      queue({ rider })
      try {
        return await answer
      } finally {
        hear()
      }
    }

    function query(...parameters: readonly unknown[]): unknown {
      const [first] = parameters
      if (typeof first === 'object' && first !== null && 'submit' in first) {
        // A cursor or a stream, which answers in its own way, and has to be sent at once.
        speak()
        speaker.isBrief = false
        if (line.length > 0 || (isFlying && company === 'beside')) refuse('Other statements wait to be sent before it.')
        if (!beginning.wasSent()) void takeOff([])
        return sendNow(parameters)
      }
      const callback = parameters.at(-1)
      if (typeof callback !== 'function') return statement(parameters)
      callbackify(() => statement(parameters.slice(0, -1)))(callback as (error: unknown, result: unknown) => void)
      return undefined
    }

    return {
      instead: { query },
      query: (text, values) => alone(() => sendQuery(text, values)),
      call: (call) =>
        alone(async () => {
          const [landed] = await fly([call])
          if (landed === undefined) throw storeUnavailable('it did not answer')
          return landed.rows
        }),
      end() {
        speaker.isDone = true
        if (refusal !== undefined) throw refusal
      },
      wasBrief: () => speaker.isBrief,
    }
  }

  /** Whoever neither waits for an answer nor is done when this turn of the event loop is over waits for something else. */
  function watch(speaker: Speaker): void {
    watched.push(speaker)
    if (watched.length > 1) return
    setImmediate(() => {
      for (const one of watched) if (!one.isDone && !one.isWaiting) one.isBrief = false
      watched = []
    })
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      depart()
    })
  }

  /** What can go together goes together, and the rest when that was answered. */
  function depart(): void {
    const [first] = line
    if (isFlying || first === undefined) return
    isFlying = true
    const land = (): void => {
      isFlying = false
      depart()
    }
    if ('send' in first) {
      line.shift()
      void beginning.after(first.send).catch(first.callback).then(land)
      return
    }
    const riders: Rider[] = []
    for (const one of line) {
      if ('send' in one) break
      riders.push(one.rider)
    }
    line = line.slice(riders.length)
    void takeOff(riders).then(land)
  }

  /** Riders are told themselves if it fails. */
  async function takeOff(riders: readonly Rider[]): Promise<void> {
    await beginning.join(async (opening) => flyWith(opening, riders)).catch(() => {})
  }
}
