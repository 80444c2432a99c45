import type { Clock } from '../clock.ts'
import { type DeliveryInput, toDelivery } from '../delivery/delivery.ts'
import type { ShadowStore } from '../store/shadow-store.ts'
import type { Provider } from '../verify/provider.ts'
import { createCallIds } from './call-ids.ts'
import { createDatabaseTime } from './database-time.ts'
import { judgeDelivery } from './judge-delivery.ts'
import { processedReceipts, type RedactBody } from './processed-receipts.ts'
import { type CallEnding, isAcknowledged, missedNote, notesOf, type OpenCall, openCall } from './watched-call.ts'

/** One call of a handler that is not ours, as it is watched. Nothing of it ever throws, rejects or waits. */
export type WatchedCall = {
  /** The exact bytes that the handler was given, once they are known. Undefined if they cannot be. */
  readonly delivered: (delivery: DeliveryInput | undefined) => void
  readonly ended: (ending: CallEnding) => void
}

export type WatchParts = {
  readonly store: Pick<ShadowStore, 'now' | 'noteCalls' | 'recordProcessed'>
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  readonly clock: Clock
  readonly worker: string
  readonly redact: RedactBody | undefined
  readonly ready: () => Promise<void>
  readonly onError: (error: unknown) => void
}

export type CallWatch = {
  readonly begin: (source: string) => WatchedCall
  /** Writes what is known. Never rejects. */
  readonly flush: () => Promise<void>
}

/** A handler must not lose memory to being watched: what comes beyond is counted and not seen. */
const mostOpenCalls = 5000
const mostBytes = 64 << 20
/** A call that has not ended after so long takes no more room. */
const hangingMilliseconds = 15 * 60_000
/** Soon, so that a process that dies in the middle of a handler has left the beginning behind. */
const pauseMilliseconds = 50
/** How long judging may still take when everything known is to be written. */
const patienceMilliseconds = 2000
const mostCallsInWrite = 200
const mostBytesInWrite = 4 << 20
/** With ever longer pauses: some seven minutes in all. */
const mostTries = 12

/** Notes calls in memory and writes them together, one write at a time. What cannot be written is lost; the handler goes on. */
export function createCallWatch(parts: WatchParts): CallWatch {
  const { store, environment, sources, clock, worker, ready, onError } = parts
  const open = new Set<OpenCall>()
  const changed = new Set<OpenCall>()
  const missed = new Map<string, number>()
  const time = createDatabaseTime(store.now)
  const callId = createCallIds()
  const noteParts = { environment, worker, timeOf: time.at }
  let openBytes = 0
  let failures = 0
  let isScheduled = false
  let writing: Promise<void> = Promise.resolve()

  return { begin, flush }

  function begin(source: string): WatchedCall {
    const provider = sources.get(source)
    if (provider === undefined) return unwatched
    if (open.size >= mostOpenCalls) for (const call of open) if (isHanging(call)) giveUp(call)
    if (open.size >= mostOpenCalls) {
      miss(source)
      return unwatched
    }
    const call = openCall(source, provider, callId(clock.now()))
    open.add(call)
    return {
      delivered(input) {
        if (call.isDelivered) return
        call.isDelivered = true
        // In a turn of its own: checking a signature must not be in the way of the handler.
        setImmediate(() => void judge(call, input))
      },
      ended(ending) {
        if (call.ending !== undefined) return
        call.ending = { ...ending, at: performance.now() }
        change(call)
      },
    }
  }

  async function judge(call: OpenCall, input: DeliveryInput | undefined): Promise<void> {
    try {
      const delivery = input && toDelivery(input)
      const size = delivery?.body.byteLength ?? 0
      if (delivery === undefined || size > call.provider.settings.maximumBodyBytes || openBytes + size > mostBytes) {
        call.judged = { verdict: 'unread' }
      } else {
        call.delivery = delivery
        openBytes += size
        call.judged = await judgeDelivery(call.provider, delivery, clock)
      }
    } catch (error) {
      call.judged = { verdict: 'unread' }
      onError(error)
    }
    if (call.judged.verdict !== 'authentic') dropBody(call)
    call.settle()
    change(call)
  }

  function change(call: OpenCall): void {
    if (call.judged === undefined || !open.has(call)) return
    changed.add(call)
    schedule()
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    const pause = failures === 0 ? pauseMilliseconds : Math.min(60_000, 500 * 2 ** failures)
    void clock.wait(pause).then(write)
  }

  /** What has ended is judged in a moment, if it is not yet. */
  async function flush(): Promise<void> {
    const unsettled = [...open].filter(({ ending, judged }) => ending !== undefined && judged === undefined)
    if (unsettled.length > 0) {
      const isWritten = new AbortController()
      const all = Promise.all(unsettled.map(({ settled }) => settled))
      await Promise.race([all, clock.wait(patienceMilliseconds, isWritten.signal)])
      isWritten.abort()
    }
    await write()
  }

  function write(): Promise<void> {
    writing = writing.then(writeAll).catch(onError)
    return writing
  }

  async function writeAll(): Promise<void> {
    isScheduled = false
    while (changed.size > 0 || missed.size > 0) {
      if ((await writeSome()) === 'all') continue
      schedule()
      return
    }
  }

  /** `some`: the rest is to be tried again later. */
  async function writeSome(): Promise<'all' | 'some'> {
    const calls = takeSome().map((call) => ({ call, isOver: call.ending !== undefined }))
    const unseen = [...missed]
    missed.clear()
    try {
      await ready()
      await time.refresh()
      const lost = unseen.map(([source, count]) => missedNote(source, count, noteParts, clock.now()))
      await store.noteCalls([...calls.flatMap(({ call }) => notesOf(call, noteParts)), ...lost])
      unseen.length = 0
      const receipts = calls.map(({ call }) => receiptsOf(call))
      const busy = new Set(await store.recordProcessed(receipts.flat()))
      failures = 0
      for (const [place, { call, isOver }] of calls.entries()) {
        if (receipts[place]?.some((receipt) => busy.has(receipt)) === true) changed.add(call)
        else if (isOver) forget(call)
      }
      return busy.size > 0 ? 'some' : 'all'
    } catch (error) {
      failures += 1
      onError(error)
      for (const [source, count] of unseen) miss(source, count)
      for (const { call } of calls) {
        call.tries += 1
        if (call.tries < mostTries) changed.add(call)
        else giveUp(call)
      }
      return 'some'
    }
  }

  function takeSome(): readonly OpenCall[] {
    const taken: OpenCall[] = []
    let bytes = 0
    for (const call of changed) {
      if (taken.length === mostCallsInWrite || bytes > mostBytesInWrite) break
      changed.delete(call)
      bytes += call.delivery?.body.byteLength ?? 0
      taken.push(call)
    }
    return taken
  }

  function receiptsOf(call: OpenCall): ReturnType<typeof processedReceipts> {
    const { judged, source, provider, delivery } = call
    if (!isAcknowledged(call) || judged?.verdict !== 'authentic' || delivery === undefined) return []
    const { events, secretIndex } = judged
    return processedReceipts(parts, { source, provider, delivery, events, secretIndex }, clock.now())
  }

  function miss(source: string, count = 1): void {
    missed.set(source, (missed.get(source) ?? 0) + count)
    schedule()
  }

  function giveUp(call: OpenCall): void {
    forget(call)
    miss(call.source)
  }

  function forget(call: OpenCall): void {
    if (open.delete(call)) dropBody(call)
  }

  function dropBody(call: OpenCall): void {
    openBytes -= call.delivery?.body.byteLength ?? 0
    call.delivery = undefined
  }
}

function isHanging({ startedAt }: OpenCall): boolean {
  return performance.now() - startedAt > hangingMilliseconds
}

const unwatched: WatchedCall = { delivered: () => {}, ended: () => {} }
