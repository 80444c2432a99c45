import type { LazyAbort } from './abort.ts'
import type { Clock } from './clock.ts'
import type { EventOutcome, Repetition } from './delivery/outcome.ts'
import type { HandlerRegistry } from './effects/handler-registry.ts'
import { nextStep } from './effects/next-step.ts'
import type { Processing } from './effects/processing.ts'
import { createRecordAgain } from './effects/record-again.ts'
import { createDeadline, createPauses, createRunningEvents, untilAborted } from './effects/running-events.ts'
import { takeSlotOrAnswer } from './effects/slot-or-answer.ts'
import type { Slots } from './effects/slots.ts'
import { describeError, isPermanent } from './errors.ts'
import { type InlineHandlers, type InlineResult, processInline } from './process-inline.ts'
import { asDuplicate, keysOf, type SettledRun } from './process-inline-copies.ts'
import { createInlineGroups } from './process-inline-group.ts'
import type { GroupCommit } from './receipt/group-commit.ts'
import type { NewReceipt, Recorded } from './receipt/receipt.ts'
import type { Writable } from './verify/writable.ts'

export type AcceptParts<Tx> = {
  readonly processing: Processing<Tx>
  readonly registry: HandlerRegistry<Tx>
  readonly record: GroupCommit['record']
  readonly slots: Slots
  readonly clock: Clock
  readonly random: () => number
  /** Something new is due that others have to be told of. Resolves when they were, or need not be. */
  readonly wake: () => Promise<void>
  /** Something new is due, which the store has told others of. */
  readonly wakeHere: () => void
  /** Resolves when the schema is there. */
  readonly ready: () => Promise<void>
  readonly isReady: () => boolean
}

/** An authentic event, and what its source wants done with it. */
export type EventToAccept = {
  readonly receipt: NewReceipt
  /** How long the provider waits for the answer, less a margin. */
  readonly patienceMilliseconds: number
  readonly whenInlineFails: 'redeliver' | 'queue'
}

/** Makes an authentic event durable, and runs its inline handlers. Never rejects: a store that fails is an outcome. */
export type Accept = (event: EventToAccept) => Promise<EventOutcome>

type Stopped = Extract<InlineResult, { kind: 'stopped' }>

export function createAccept<Tx>(parts: AcceptParts<Tx>): Accept {
  const { processing, registry, record, slots, clock, random, wake, wakeHere, ready, isReady } = parts
  const running = createRunningEvents<SettledRun | undefined>()
  const groups = createInlineGroups(processing, slots)
  const recordAgain = createRecordAgain({ record, clock, random })

  return (event) => {
    const accepted = isReady() ? acceptNow(event) : ready().then(() => acceptNow(event))
    return accepted.catch((error: unknown) => notTaken(event.receipt, error))
  }

  function acceptNow(event: EventToAccept): Promise<EventOutcome> {
    const { receipt } = event
    const giveUpAt = clock.now().getTime() + event.patienceMilliseconds
    const { all, inline, isOrdered } = registry.matched(receipt.source, receipt.event.type)
    if (all.length === 0) return recordOnly({ ...receipt, disposition: 'ignored' }, giveUpAt)
    const orderKey = isOrdered ? receipt.event.objectId : receipt.orderKey
    if (inline.length === 0) return recordOnly(isOrdered ? { ...receipt, orderKey } : receipt, giveUpAt)
    const afterwards = inline.length === all.length ? 'processed' : 'queue'
    const { patienceMilliseconds, whenInlineFails } = event
    const inlineEvent = { receipt: inlineReceipt(receipt, orderKey), patienceMilliseconds, whenInlineFails }
    return runInline(inlineEvent, { inline, afterwards }, giveUpAt)
  }

  function notTaken({ source, eventId }: NewReceipt, error: unknown): EventOutcome {
    const message = `The store could not take ${source} event ${eventId}, so the provider was asked to send it again.`
    processing.emit({ kind: 'notice', level: 'error', message, error: describeError(error) })
    return { kind: 'unavailable', reason: 'store', retryAfterSeconds: 5 }
  }

  function recordOnly(receipt: NewReceipt, giveUpAt: number): Promise<EventOutcome> {
    // Every delivery passes here: one promise for each, and no more.
    return record(receipt).then((recorded) =>
      recorded.kind === 'busy'
        ? recordAgain(receipt, giveUpAt).then((again) => outcomeOfRecord(receipt, again))
        : outcomeOfRecord(receipt, recorded),
    )
  }

  function outcomeOfRecord({ eventId, disposition }: NewReceipt, recorded: Recorded): EventOutcome {
    if (recorded.kind === 'busy') return busy
    if (recorded.kind === 'duplicate') return duplicateOf(recorded, eventId)
    const { receiptId } = recorded
    if (disposition === 'queued') {
      wakeHere()
      const { repeatsEventId } = recorded
      if (repeatsEventId === undefined) return { kind: 'accepted', receiptId, eventId }
      return { kind: 'accepted', receiptId, eventId, repeatsEventId }
    }
    const repetition = repetitionOf(recorded)
    if (disposition === 'failed') return { kind: 'failed', eventId, stored: 'dead_letter', ...repetition }
    return { kind: 'ignored', receiptId, eventId, reason: 'no_handler', ...repetition }
  }

  function duplicateOf(recorded: Extract<Recorded, { kind: 'duplicate' }>, eventId: string): EventOutcome {
    const { receiptId, isMutated, status } = recorded
    if (status === 'received' || status === 'retrying') wakeHere()
    const { repeatsEventId } = recorded
    if (repeatsEventId === undefined) return { kind: 'duplicate', receiptId, eventId, isMutated }
    return { kind: 'duplicate', receiptId, eventId, isMutated, repeatsEventId }
  }

  async function runInline(
    event: EventToAccept,
    handlers: InlineHandlers<Tx>,
    giveUpAt: number,
  ): Promise<EventOutcome> {
    const { deadline, cancel } = createDeadline(clock, event.patienceMilliseconds)
    try {
      const result = (await runOrWait(event.receipt, handlers, deadline)) ??
        (await findDuplicate(event.receipt)) ?? { kind: 'busy' }
      if (result.kind === 'stopped') return await afterFailure(event, result, giveUpAt)
      return await outcomeOf(event, result, handlers)
    } finally {
      cancel()
    }
  }

  /** A copy of what is running waits for its end: in this process on the promise, across processes by asking again. */
  async function runOrWait(
    receipt: NewReceipt,
    handlers: InlineHandlers<Tx>,
    deadline: LazyAbort,
  ): Promise<InlineResult | undefined> {
    const pause = createPauses(clock, random)
    let keys = keysOf(receipt)
    while (!deadline.isAborted) {
      const other = running.get(keys)
      if (other !== undefined) {
        const settled = await untilAborted(other, deadline)
        const duplicate = asDuplicate(settled, receipt)
        if (duplicate !== undefined) return duplicate
        // The body has its receipt now: other copies of it are no longer to be waited for.
        if (settled?.result.kind === 'processed') keys = keys.slice(0, 1)
        continue
      }
      const run = await running.run(keys, () => runInSlot(receipt, handlers, deadline))
      if (run === undefined || run.result.kind !== 'busy') return run?.result
      await pause(deadline.signal)
    }
    return undefined
  }

  async function findDuplicate({ environment, source, eventId, body }: NewReceipt): Promise<InlineResult | undefined> {
    const [found] = await processing.store.findReceipts(environment, { source, eventId, limit: 1 })
    if (found === undefined) return undefined
    const isMutated = found.bodyHash !== '' && found.bodyHash !== Buffer.from(body.hash).toString('hex')
    return { kind: 'duplicate', receiptId: found.id, status: found.status, isMutated }
  }

  async function runInSlot(
    receipt: NewReceipt,
    handlers: InlineHandlers<Tx>,
    deadline: LazyAbort,
  ): Promise<SettledRun | undefined> {
    const together = groups.join(receipt, handlers)
    if (together !== undefined) {
      const result = await untilAborted(together, deadline)
      return result && { result, receipt }
    }
    const place = await takeSlotOrAnswer({ slots, clock, deadline, ask: () => findDuplicate(receipt) })
    if (place === undefined) return undefined
    if ('answer' in place) return { result: place.answer, receipt }
    try {
      return { result: await processInline(processing, receipt, handlers), receipt }
    } finally {
      place.leave()
    }
  }

  async function outcomeOf(
    event: EventToAccept,
    result: Exclude<InlineResult, Stopped>,
    handlers: InlineHandlers<Tx>,
  ): Promise<EventOutcome> {
    const { eventId } = event.receipt
    switch (result.kind) {
      case 'processed': {
        if (handlers.afterwards === 'queue') await wake()
        const { receiptId, answer, repeatsEventId } = result
        const outcome: Writable<Extract<EventOutcome, { kind: 'processed' }>> = {
          kind: 'processed',
          receiptId,
          eventId,
        }
        if (answer !== undefined) outcome.answer = answer
        if (repeatsEventId !== undefined) outcome.repeatsEventId = repeatsEventId
        return outcome
      }
      case 'duplicate':
        return duplicateOf(result, eventId)
      case 'busy':
        return busy
    }
  }

  /** What was rolled back is the provider's to send again, or becomes ours: queued, or a dead letter. */
  async function afterFailure(
    event: EventToAccept,
    { stopped, policy }: Stopped,
    giveUpAt: number,
  ): Promise<EventOutcome> {
    const { receipt, whenInlineFails } = event
    const isOurs = whenInlineFails === 'queue' || stopped.kind === 'deferred' || isPermanent(stopped.error)
    if (!isOurs) return { kind: 'failed', eventId: receipt.eventId, stored: 'rolled_back' }

    const age = { attempt: 1, ageSeconds: 0, maximumDeferSeconds: processing.maximumDeferSeconds }
    const next = nextStep([{ result: stopped, policy }], age)
    const adopted = {
      attempts: next.kind === 'deferred' ? 0 : 1,
      delaySeconds: next.kind === 'dead' ? 0 : next.seconds,
      error: next.error,
    }
    return recordOnly({ ...receipt, disposition: next.kind === 'dead' ? 'failed' : 'queued', adopted }, giveUpAt)
  }
}

/** Written out: an object that is made by spreading another is slow to make and to read, and these are read often. */
function inlineReceipt(receipt: NewReceipt, orderKey: string | undefined): NewReceipt {
  const { environment, source, eventId, event, body, secretIndex, signedBody, isKeyKept = false, adopted } = receipt
  const disposition = 'inline'
  const inline: Writable<NewReceipt> = {
    environment,
    source,
    eventId,
    event,
    body,
    secretIndex,
    disposition,
    orderKey,
    signedBody,
    isKeyKept,
  }
  if (adopted !== undefined) inline.adopted = adopted
  return inline
}

function repetitionOf({ repeatsEventId }: { readonly repeatsEventId?: string | undefined }): Repetition | undefined {
  return repeatsEventId === undefined ? undefined : { repeatsEventId }
}

const busy: EventOutcome = { kind: 'unavailable', reason: 'busy', retryAfterSeconds: 5 }
