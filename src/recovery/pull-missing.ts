import { createHash } from 'node:crypto'
import { type Delivery, toDelivery } from '../delivery/delivery.ts'
import { storedHeaders } from '../delivery/stored-headers.ts'
import { describeError, invalidOptions, OncehookError } from '../errors.ts'
import { createBodyId } from '../receipt/body-id.ts'
import type { BodyToStore, NewReceipt } from '../receipt/receipt.ts'
import type { HeldRun, RecoveryStore, RunFailure, RunProgress } from '../store/recovery-store.ts'
import type { IdentifiedEvent } from '../verify/provider.ts'
import type { ComparedEvent } from './compare-history.ts'
import type { GapParts } from './find-gaps.ts'
import type { HistoryRange } from './history-range.ts'
import { inParallel } from './in-parallel.ts'
import { added, withFailures } from './run-counts.ts'

type Redact = (
  source: string,
  parts: { readonly delivery: Delivery; readonly body: BodyToStore; readonly events: readonly IdentifiedEvent[] },
) => BodyToStore

export type PullParts = Omit<GapParts, 'store'> & {
  readonly store: Pick<RecoveryStore, 'recordHistory'>
  /** What is to be stored of a body, where parts of it are left out. */
  readonly redact: Redact | undefined
  /** Something new is due. */
  readonly wake: () => void
}

export type Step = {
  readonly range: HistoryRange
  readonly progress: RunProgress
  readonly missing: readonly ComparedEvent[]
}

/** Small enough for one statement, and for a transaction that nobody waits for. */
const mostRows = 500
const mostBytes = 4 << 20

/** Fetches what is missing and records it, part by part and in the order in which it happened. */
export async function pullMissing(
  parts: PullParts,
  step: Step & { readonly run: HeldRun; readonly concurrency: number },
): Promise<RunProgress> {
  const { store, clock, wake } = parts
  const { range, run, missing, concurrency } = step
  let { progress } = step
  for (let start = 0; start < missing.length; start += mostRows) {
    const part = missing.slice(start, start + mostRows)
    const fetched = await inParallel(part, concurrency, (event) => fetchOne(parts, range, event))
    const failures = fetched.flatMap((one) => ('failure' in one ? [one.failure] : []))
    progress = withFailures(progress, failures)
    let open = fetched.flatMap((one) => ('receipt' in one ? [one.receipt] : []))
    while (open.length > 0) {
      range.signal.throwIfAborted()
      const receipts = fitting(open)
      const { recorded, known, busy } = await store.recordHistory({ receipts, run, progress })
      progress = { ...progress, counts: added(progress.counts, { recorded, known }) }
      if (recorded > 0) wake()
      open = [...busy, ...open.slice(receipts.length)]
      // What is being run at this moment is known soon, or free again.
      if (busy.length > 0) await clock.wait(500, range.signal)
    }
  }
  return progress
}

function fitting(receipts: readonly NewReceipt[]): readonly NewReceipt[] {
  let bytes = 0
  const end = receipts.findIndex(({ body }) => {
    bytes += body.content.byteLength
    return bytes > mostBytes
  })
  return end === -1 ? receipts : receipts.slice(0, Math.max(1, end))
}

type Fetched = { readonly receipt: NewReceipt } | { readonly failure: RunFailure }

/** What the provider no longer has is noted, and the rest goes on; any other failure stops the run, which can be continued. */
async function fetchOne(
  { environment, clock, handling, redact }: PullParts,
  { source, provider, history, signal }: HistoryRange,
  { historic, eventId, type }: ComparedEvent,
): Promise<Fetched> {
  let delivery: ReturnType<typeof toDelivery>
  try {
    delivery = toDelivery(await historic.fetch(signal))
  } catch (error) {
    if (isGone(error)) return { failure: { eventId, type, error: describeError(error) } }
    throw error
  }
  const events = provider.identify(delivery)
  const event = 'kind' in events ? undefined : events.find(({ id }) => id === eventId)
  if (event === undefined)
    throw mismatch(history.name, eventId, 'kind' in events ? events.detail : events.map(({ id }) => id).join(', '))
  const whole = bodyOf(delivery, clock.now())
  const { isOrdered } = handling(source, event.type)
  return {
    receipt: {
      environment,
      source,
      eventId,
      event,
      body: redact === undefined ? whole : redact(source, { delivery, events: [event], body: whole }),
      secretIndex: undefined,
      disposition: 'queued',
      orderKey: isOrdered ? event.objectId : undefined,
    },
  }
}

function bodyOf({ body, headers }: Delivery, at: Date): BodyToStore {
  const hash = createHash('sha256').update(body).digest()
  return { id: createBodyId(at), content: body, hash, headers: storedHeaders(headers) }
}

/** One after the other: providers want a pause between requests that change something. */
export async function askForRedelivery({ range, progress, missing }: Step): Promise<RunProgress> {
  const failures: RunFailure[] = []
  for (const { historic, eventId, type } of missing) {
    if (historic.redeliver === undefined) {
      throw invalidOptions('The back-fill', [
        `${range.history.name} cannot be asked to be sent again: leave out how: 'redeliver'.`,
      ])
    }
    try {
      await historic.redeliver(range.signal)
    } catch (error) {
      if (!isGone(error)) throw error
      failures.push({ eventId, type, error: describeError(error) })
    }
  }
  const asked = missing.length - failures.length
  return withFailures({ ...progress, counts: added(progress.counts, { asked }) }, failures)
}

/** The provider says that there is no such thing any more. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'status' in error && (error.status === 404 || error.status === 410)
}

function mismatch(history: string, eventId: string, found: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_HISTORY_MISMATCH',
    `According to ${history}, an event has the id ${eventId}, but the source reads its delivery otherwise (${found.slice(0, 300)}). ` +
      'Give a history whose ids are those of the source: with tenants or an identity of your own, one whose outlines the source can identify.',
  )
}
