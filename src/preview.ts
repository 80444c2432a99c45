import type { EffectNote } from './effects/handler-effects.ts'
import type { RegisteredHandler } from './effects/handler-registry.ts'
import { ownPlace, type Processing, runIn } from './effects/processing.ts'
import type { RunResult } from './effects/run-handler.ts'
import { createWebhookEvent } from './effects/webhook-event.ts'
import { describeError } from './errors.ts'
import type { Receipt } from './receipt/receipt.ts'

/** What a replay of one receipt would do. Nothing of it has happened. */
export type ReplayPreview = {
  readonly receiptId: string
  readonly source: string
  readonly eventId: string
  readonly type: string
  /** What its handlers do not see, because it was never stored: as `event.redacted`. */
  readonly redacted: readonly string[]
  readonly handlers: readonly HandlerPreview[]
}

/** What one handler would do. */
export type HandlerPreview = {
  readonly handler: string
  /** `same_change`: it would not run, because another event has told of the same change. */
  readonly would: 'succeed' | 'fail' | 'defer' | 'end_stale' | 'same_change'
  /** Why it would fail or be deferred. */
  readonly reason: string | undefined
  /** In the order in which the handler asked for them: which would be applied or added, and which would be passed over. */
  readonly effects: readonly EffectNote[]
}

/**
 * Runs the handlers that a replay would run, each in a transaction that is rolled back.
 * What goes through `tx`, `once`, `latest` and `outbox` is undone; calls to other services are not, so handlers can ask `isPreview`.
 */
export async function previewReplay<Tx>(
  processing: Processing<Tx>,
  receipt: Receipt,
  handlers: readonly RegisteredHandler<Tx>[],
): Promise<ReplayPreview> {
  const { store } = processing
  const { id: receiptId, environment, source, eventId, type } = receipt
  const stored = await store.readReceipt(environment, receiptId)
  const completed = receipt.status === 'failed' ? (stored?.completedHandlers ?? []) : []
  const open = handlers.filter(({ name }) => !completed.includes(name))
  const previews: HandlerPreview[] = []
  for (const handler of open) previews.push(await previewHandler(handler))
  const redacted = stored?.body?.redaction?.paths ?? []
  return { receiptId, source, eventId, type, redacted, handlers: previews }

  async function previewHandler(handler: RegisteredHandler<Tx>): Promise<HandlerPreview> {
    const event = createWebhookEvent({
      source,
      event: stored?.event ?? { id: eventId, type },
      receiptId,
      receivedAt: receipt.receivedAt,
      body: stored?.body,
      bodyId: stored?.bodyId ?? '',
      readDocument: processing.readDocumentOf(source),
    })
    let result: RunResult | undefined
    const rollBack = new Error('A preview is always rolled back.')
    try {
      await store.transaction(async (transaction) => {
        const parts = {
          handler,
          event,
          key: { environment, source, eventId },
          attempt: 1,
          isPreview: true,
        }
        result = await runIn(ownPlace(transaction), processing, parts)
        throw rollBack
      })
    } catch (error) {
      if (result === undefined)
        return { handler: handler.name, would: 'fail', reason: describeError(error, processing.hide), effects: [] }
    }
    return { handler: handler.name, ...outcomeOf(result) }
  }
}

function outcomeOf(result: RunResult | undefined): Pick<HandlerPreview, 'would' | 'reason' | 'effects'> {
  switch (result?.kind) {
    case undefined:
      return { would: 'fail', reason: 'It did not run.', effects: [] }
    case 'ran':
      return { would: endings[result.ending], reason: undefined, effects: result.notes }
    case 'deferred':
      return { would: 'defer', reason: result.reason, effects: [] }
    case 'threw':
      return { would: 'fail', reason: result.run.error, effects: result.notes }
  }
}

const endings = { processed: 'succeed', stale: 'end_stale', same_change: 'same_change' } as const
