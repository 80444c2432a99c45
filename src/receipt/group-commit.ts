import { type Clock, callAfter } from '../clock.ts'
import { isOncehookError, OncehookError } from '../errors.ts'
import type { NewReceipt, OnKnown, Recorded } from './receipt.ts'

/** Writes receipts durably. Deliveries that come while a write is under way are written together by the next one. */
export type GroupCommit = {
  /** Resolves when it is durable. Rejects with `ONCEHOOK_STORE_UNAVAILABLE` when there is no room or no time. */
  readonly record: (receipt: NewReceipt) => Promise<Recorded>
}

export type GroupCommitOptions = {
  readonly write: (receipts: readonly NewReceipt[], onKnown: OnKnown) => Promise<readonly Recorded[]>
  readonly clock: Clock
  /** Rows of one write. */
  readonly maximumRows?: number
  /** Bytes of one write. */
  readonly maximumBytes?: number
  /** Bytes that may wait; beyond this a delivery is turned away at once. */
  readonly maximumWaitingBytes?: number
  readonly maximumWaitSeconds?: number
}

type Waiting = {
  readonly receipt: NewReceipt
  readonly bytes: number
  readonly patience: Patience
  readonly resolve: (recorded: Recorded) => void
  readonly reject: (error: unknown) => void
  isTold: boolean
}

/** Those that began to wait together share one time limit: one timer for each would cost more than the rest of the group commit. */
type Patience = { readonly waiting: Waiting[]; open: number; readonly end: () => void }

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { write, clock, maximumRows = 500, maximumBytes = 8 << 20 } = options
  const { maximumWaitingBytes = 64 << 20, maximumWaitSeconds = 10 } = options
  const waiting: Waiting[] = []
  let waitingBytes = 0
  let isWriting = false
  let patience: Patience | undefined

  return {
    record(receipt) {
      const bytes = receipt.body.content.byteLength + rowBytes
      if (waitingBytes > 0 && waitingBytes + bytes > maximumWaitingBytes) return Promise.reject(noRoom())
      waitingBytes += bytes
      patience ??= startPatience()
      const written = waitFor(receipt, bytes, patience)
      if (!isWriting) {
        isWriting = true
        // What arrived in the same turn of the event loop joins the first flight; alone, it costs microseconds.
        setImmediate(() => void writeAll())
      }
      return written
    },
  }

  function waitFor(receipt: NewReceipt, bytes: number, patience: Patience): Promise<Recorded> {
    return new Promise((resolve, reject) => {
      const one = { receipt, bytes, patience, resolve, reject, isTold: false }
      patience.open += 1
      patience.waiting.push(one)
      waiting.push(one)
    })
  }

  /** Whoever waits too long is told so. The write itself goes on: if it succeeds late, the redelivery finds its receipt. */
  function startPatience(): Patience {
    const end = callAfter(clock, maximumWaitSeconds * 1000, () => {
      for (const { reject } of started.waiting) reject(noAnswer(maximumWaitSeconds))
    })
    const started: Patience = { waiting: [], open: 0, end }
    return started
  }

  function settle({ patience: shared }: Waiting): void {
    shared.open -= 1
    if (shared.open === 0) shared.end()
  }

  /** One flight at a time: the next group gathers meanwhile, which is what makes it a group. */
  async function writeAll(): Promise<void> {
    let group = takeGroup(maximumRows)
    let flight = writeGroup(group)
    for (;;) {
      const tell = await flight
      if (waiting.length === 0) {
        isWriting = false
        tell()
        return
      }
      group = takeGroup(fairShare(group.length, waiting.length))
      flight = writeGroup(group)
      // In the next tick: by then the database is at work again, and it goes on working while these are answered.
      process.nextTick(tell)
    }
  }

  /** Answers with what tells those who wait. */
  async function writeGroup(group: readonly Waiting[]): Promise<() => void> {
    try {
      const recorded = await write(
        group.map(({ receipt }) => receipt),
        (place, known) => tellOne(group[place], known),
      )
      return () => tellRecorded(group, recorded)
    } catch (error) {
      // One bad row must not fail its neighbours, so each delivery is tried alone.
      if (group.length > 1 && !isOutage(error)) {
        for (const single of group) if (!single.isTold) (await writeGroup([single]))()
        return () => {}
      }
      return () => {
        for (const one of group) {
          if (one.isTold) continue
          settle(one)
          one.reject(error)
        }
      }
    }
  }

  function tellRecorded(group: readonly Waiting[], recorded: readonly Recorded[]): void {
    for (const [index, one] of group.entries()) {
      const answer = recorded[index]
      if (answer !== undefined) tellOne(one, answer)
      else if (!one.isTold) {
        settle(one)
        one.reject(new Error('The store answered for fewer receipts than it was given.'))
      }
    }
  }

  function tellOne(one: Waiting | undefined, answer: Recorded): void {
    if (one === undefined || one.isTold) return
    one.isTold = true
    settle(one)
    one.resolve(answer)
  }

  /**
   * Senders that are answered soon send again. If they all went in one flight, Node and the database would take turns at waiting for each
   * other: two flights of one size keep both of them busy.
   */
  function fairShare(answered: number, waitingNow: number): number {
    return Math.min(maximumRows, Math.max(worthAFlight, Math.ceil((answered + waitingNow) / 2)))
  }

  function takeGroup(mostRows: number): readonly Waiting[] {
    let bytes = 0
    let count = 0
    for (const next of waiting) {
      bytes += next.bytes
      if (count > 0 && (count === mostRows || bytes > maximumBytes)) break
      count += 1
    }
    const group = waiting.splice(0, count)
    patience = undefined
    for (const taken of group) waitingBytes -= taken.bytes
    return group
  }
}

/** Fewer rows than that are not worth a commit of their own. */
const worthAFlight = 16

/** What a receipt takes beside its body, about. */
const rowBytes = 512

/** What would fail each row alone just as well. */
function isOutage(error: unknown): boolean {
  return (
    isOncehookError(error, 'ONCEHOOK_STORE_UNAVAILABLE') ||
    isOncehookError(error, 'ONCEHOOK_CONNECTION_TIMEOUT') ||
    isOncehookError(error, 'ONCEHOOK_COMMIT_UNKNOWN') ||
    isOncehookError(error, 'ONCEHOOK_NOT_MIGRATED')
  )
}

function noRoom(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_STORE_UNAVAILABLE',
    'More deliveries are waiting to be written than the limit allows, so this one was turned away. The database is slower than the deliveries come.',
  )
}

function noAnswer(seconds: number): OncehookError {
  return new OncehookError(
    'ONCEHOOK_STORE_UNAVAILABLE',
    `The database did not confirm the write within ${seconds} s, so the provider is asked to send the event again.`,
  )
}
