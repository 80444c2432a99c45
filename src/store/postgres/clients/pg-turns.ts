import { callbackify } from 'node:util'
import { transactionClosed } from '../../../errors.ts'
import type { SendCall, SqlQuery } from '../sql-client.ts'
import { storeUnavailable } from '../sql-errors.ts'
import type { Beginning } from './pg-beginning.ts'
import type { PgConnection } from './pg-connection.ts'
import type { Rider } from './pg-flight.ts'
import { riderOf } from './pg-rider.ts'
import type { PgTransaction } from './pg-types.ts'

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
  /** The client as the handler sees it. */
  readonly raw: PgTransaction
  readonly query: SqlQuery
  readonly call: SendCall
  /** The handler has returned. Throws if it was refused a statement, even if it swallowed that error. */
  readonly end: () => void
  /** True if it did nothing but send its statements, all of them at once, and wait for the answers. */
  readonly wasBrief: () => boolean
}

type Speaker = { isOver: boolean; isDone: boolean; isBrief: boolean; isWaiting: boolean; hasHeard: boolean }

type Leaving = { readonly rider: Rider } | { readonly send: () => void; readonly callback: (error: unknown) => void }

/** Undefined where the client sends each statement by itself. */
export function createTurns(connection: PgConnection, beginning: Beginning): Turns | undefined {
  const { client, fly, flyWith } = connection
  if (flyWith === undefined) return undefined
  let line: Leaving[] = []
  let last: Speaker | undefined
  let isScheduled = false
  let watched: Speaker[] = []
  let isClosed = false

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

    function speak(): void {
      if (isClosed) throw transactionClosed()
      if (speaker.isOver) {
        refusal = new Error('This handler has another statement after one of a handler that runs beside it.')
        speaker.isBrief = false
        throw refusal
      }
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
          queue({ send: () => void send().then(resolve, reject), callback: reject })
        })
      } finally {
        hear()
      }
    }

    async function statement(parameters: readonly unknown[]): Promise<unknown> {
      const send = (): Promise<unknown> => Reflect.apply(client.query, client, parameters) as Promise<unknown>
      if (company === 'alone' && beginning.hasBegun()) return send()
      const { rider, answer } = riderOf(client, parameters)
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
        // A cursor or a stream, which answers in its own way: whatever waits goes before it.
        speak()
        speaker.isBrief = false
        depart()
        open()
        return Reflect.apply(client.query, client, parameters) as unknown
      }
      const callback = parameters.at(-1)
      if (typeof callback !== 'function') return statement(parameters)
      callbackify(() => statement(parameters.slice(0, -1)))(callback as (error: unknown, result: unknown) => void)
      return undefined
    }

    return {
      raw: Object.assign(Object.create(client) as PgTransaction, { query }),
      query: (text, values) => alone(() => connection.query(text, values)),
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

  /** `pg` sends one after the other what it is given here, so that nothing has to wait for the answers. */
  function depart(): void {
    const leaving = line
    line = []
    let riders: Rider[] = []
    for (const one of leaving) {
      if ('rider' in one) riders.push(one.rider)
      else {
        sendAll(riders)
        riders = []
        open()
        one.send()
      }
    }
    sendAll(riders)
  }

  function sendAll(riders: readonly Rider[]): void {
    if (riders.length === 0) return
    // Riders are told themselves if it fails.
    beginning.join((opening) => flyWith?.(opening, riders) ?? Promise.resolve([])).catch(() => {})
  }

  function open(): void {
    if (!beginning.wasSent()) beginning.join((opening) => flyWith?.(opening, []) ?? Promise.resolve([])).catch(() => {})
  }
}
