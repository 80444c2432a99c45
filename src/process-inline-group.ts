import { createGroupLanes } from './effects/group-lanes.ts'
import { createGroupTrust } from './effects/group-trust.ts'
import type { RegisteredHandler } from './effects/handler-registry.ts'
import { type Processing, runIn, tell, tellEffects } from './effects/processing.ts'
import { createGroupPace, type GroupPace, runGroup } from './effects/run-group.ts'
import type { RunResult } from './effects/run-handler.ts'
import type { Slots } from './effects/slots.ts'
import { createWebhookEvent } from './effects/webhook-event.ts'
import { isOncehookError } from './errors.ts'
import { type InlineHandlers, type InlineResult, processInline } from './process-inline.ts'
import type { NewReceipt } from './receipt/receipt.ts'
import type { RunPlace, StoreTransaction } from './store/store.ts'

/** Inline events that share a commit with others which came at the same time. */
export type InlineGroups<Tx> = {
  /** Undefined if the event has to be processed by itself. */
  readonly join: (receipt: NewReceipt, handlers: InlineHandlers<Tx>) => Promise<InlineResult> | undefined
}

type Member<Tx> = { readonly receipt: NewReceipt; readonly handler: RegisteredHandler<Tx> }

/** What became of a member: a rejection is the store's. */
type Settled =
  | { readonly kind: 'settled'; readonly result: InlineResult }
  | { readonly kind: 'rejected'; readonly error: unknown }

/** Two are enough to have one under way while another one gathers. */
const lanes = 2

/** Each event is a lock, and so is each signed body. PostgreSQL has room for 64 in each transaction, unless it is told otherwise. */
const largestGroup = 60
const largestGroupWithBodies = 30

/**
 * Receipts and handlers of several events in one transaction and one commit. If one of them fails nothing of any is left, and each is
 * processed by itself, as events of that handler then are for a while.
 */
export function createInlineGroups<Tx>(processing: Processing<Tx>, slots: Slots): InlineGroups<Tx> {
  const trust = createGroupTrust()
  const pace = createGroupPace()
  const groups = createGroupLanes<Member<Tx>, Settled>({
    lanes,
    slots,
    sharing: 'evenly',
    process: processMembers,
  })
  return {
    join(receipt, { inline, afterwards }) {
      const [handler] = inline
      if (handler === undefined || inline.length > 1 || handler.commit !== 'shared') return undefined
      if (afterwards !== 'processed') return undefined
      if (trust.isTrusted(handler.name)) return joinLine({ receipt, handler }).then(unwrap)
      trust.regain(handler.name)
      return undefined
    },
  }

  function joinLine(member: Member<Tx>): Promise<Settled> {
    const { name } = member.handler
    const hasBody = member.receipt.signedBody !== undefined
    return hasBody
      ? groups.join(`${name} with bodies`, largestGroupWithBodies, member)
      : groups.join(name, largestGroup, member)
  }

  async function processMembers(members: readonly Member<Tx>[]): Promise<readonly Settled[]> {
    const [first] = members
    if (first === undefined) return []
    if (members.length === 1) return [await alone(processing, first)]
    try {
      return await processTogether(processing, members, { handler: first.handler, pace })
    } catch (error) {
      // What may have been committed is not run again: the ledger decides at the redelivery.
      if (isOncehookError(error, 'ONCEHOOK_COMMIT_UNKNOWN')) return members.map(() => ({ kind: 'rejected', error }))
      trust.lose(first.handler.name)
      const results: Settled[] = []
      for (const member of members) results.push(await alone(processing, member))
      return results
    }
  }
}

function unwrap(settled: Settled): InlineResult {
  if (settled.kind === 'settled') return settled.result
  throw settled.error
}

async function alone<Tx>(processing: Processing<Tx>, { receipt, handler }: Member<Tx>): Promise<Settled> {
  try {
    const result = await processInline(processing, receipt, { inline: [handler], afterwards: 'processed' })
    return { kind: 'settled', result }
  } catch (error) {
    return { kind: 'rejected', error }
  }
}

type Ran = Extract<RunResult, { kind: 'ran' }>

/** How the groups of a handler are run. */
type Manner<Tx> = { readonly handler: RegisteredHandler<Tx>; readonly pace: GroupPace }

type InGroup<Tx> = { readonly member: Member<Tx>; readonly result: InlineResult; readonly ran?: Ran }

async function processTogether<Tx>(
  processing: Processing<Tx>,
  members: readonly Member<Tx>[],
  manner: Manner<Tx>,
): Promise<readonly Settled[]> {
  const done = await processing.store.transaction((transaction) => runAll(transaction, processing, members, manner), {
    handlerSeconds: manner.handler.timeoutSeconds,
  })
  for (const { member, result, ran } of done) {
    if (ran === undefined) continue
    const { environment, source, eventId, event, body } = member.receipt
    const receiptId = result.kind === 'processed' ? result.receiptId : undefined
    const subject = { environment, source, eventId, event, attempt: 1, body, bodyId: body.id, receiptId }
    tell(processing.emit, subject, {
      outcome: 'succeeded',
      handler: ran.run.handler,
      run: ran.run,
      endsAs: 'processed',
    })
    tellEffects(processing, subject, { handler: ran.run.handler, notes: ran.notes })
  }
  return done.map(({ result }) => ({ kind: 'settled', result }))
}

async function runAll<Tx>(
  transaction: StoreTransaction<Tx>,
  processing: Processing<Tx>,
  members: readonly Member<Tx>[],
  { handler, pace }: Manner<Tx>,
): Promise<readonly InGroup<Tx>[]> {
  const recorded = await transaction.recordReceipts(members.map(({ receipt }) => receipt))
  const firsts = members.flatMap((member, index): readonly First<Tx>[] => {
    const known = recorded[index]
    return known?.kind === 'first' ? [{ member, ...known }] : []
  })
  const ran = await runGroup(transaction, firsts, {
    handler: handler.name,
    pace,
    run: (own, first) => runFirst(own, processing, first),
  })
  await transaction.finishInlines(
    ran.map(({ receiptId, member, ran: { run, ending } }) => {
      return { receiptId, key: member.receipt, run, ending }
    }),
  )
  const byMember = new Map(ran.map((one) => [one.member, one]))
  return members.map((member, index) => {
    const known = recorded[index]
    const unrun: InlineResult = known === undefined || known.kind === 'first' ? { kind: 'busy' } : known
    return byMember.get(member) ?? { member, result: unrun }
  })
}

type First<Tx> = { readonly member: Member<Tx>; readonly receiptId: string; readonly repeatsEventId?: string }

async function runFirst<Tx>(
  place: RunPlace<Tx>,
  processing: Processing<Tx>,
  { member, receiptId, repeatsEventId }: First<Tx>,
): Promise<InGroup<Tx> & { readonly receiptId: string; readonly ran: Ran }> {
  const { receipt, handler } = member
  const { source, event: identified, body } = receipt
  const event = createWebhookEvent({
    source,
    event: identified,
    receiptId,
    receivedAt: new Date(),
    body,
    bodyId: body.id,
    readDocument: processing.readDocumentOf(source),
  })
  const ran = await runIn(place, processing, {
    handler,
    event,
    key: receipt,
    attempt: 1,
  })
  if (ran.kind !== 'ran') throw new Error('One of the group did not run to its end.')
  const result = { kind: 'processed', receiptId, repeatsEventId, answer: ran.answer, ran: [ran] } as const
  return { member, receiptId, ran, result }
}
