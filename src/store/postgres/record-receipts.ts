import { nextTick } from 'node:process'
import type { EventKey, NewReceipt, OnKnown, Recorded } from '../../receipt/receipt.ts'
import type { AskFirst } from './ask-first.ts'
import type { Database } from './database.ts'
import { type FoundReceipt, findKnown } from './find-known.ts'
import { insertReceipts } from './insert-receipts.ts'
import { type KnownReceipt, readKnownByBody, readKnownById } from './known-receipts.ts'
import { type Candidate, initialStatus } from './receipt-columns.ts'
import { readKeptKeys } from './retention/event-keys.ts'
import { storeUnavailable } from './sql-errors.ts'
import { hexadecimal } from './storable.ts'

export type RecordingOptions = {
  /** `events`: of what another transaction is running, the answer is `busy`, and others are told the same of these. */
  readonly locking?: 'events' | 'nothing'
  /** Given where every statement is committed by itself: then what is known is answered for without being sent, while much of it is. */
  readonly askFirst?: AskFirst
  readonly onKnown?: OnKnown | undefined
}

const attemptsToRecord = 4

/**
 * Of any number of concurrent calls with one key exactly one is told `first`. Answers in the order given, all or nothing.
 * The insert decides; what was recorded in the same moment is read by a second statement, because the first one cannot see it.
 */
export async function recordReceipts(
  database: Database,
  receipts: readonly NewReceipt[],
  { locking = 'nothing', askFirst, onKnown }: RecordingOptions = {},
): Promise<readonly Recorded[]> {
  const copies = new Map<string, Candidate>()
  const copyKeys = receipts.map(copyKeyOf)
  for (const [index, receipt] of receipts.entries()) {
    const copyKey = copyKeys[index] ?? ''
    if (!copies.has(copyKey)) copies.set(copyKey, { receipt, copyKey })
  }

  const decisions = new Map<string, Decision>()
  const told: (Recorded | undefined)[] = []
  const candidates = [...copies.values()]
  let open: readonly Candidate[] = candidates
  if (askFirst?.isWorthIt() === true) {
    open = await askRound(database, candidates, decisions)
    // In the next tick: by then the rest is on its way.
    if (onKnown !== undefined && open.length > 0) nextTick(tellKnown, onKnown)
  }
  // More than one round is only needed for a body that is repeated, or if a receipt is deleted between two statements.
  for (let round = 0; open.length > 0 && round < attemptsToRecord; round += 1) {
    open = await recordRound(database, open, { decisions, locking })
  }
  if (open.length > 0) throw storeUnavailable('a receipt vanished as often as it was looked for')
  askFirst?.learn({ recorded: candidates.length, known: [...decisions.values()].filter(isKnownById).length })

  return receipts.map((receipt, index) => {
    const answer = told[index]
    if (answer !== undefined) return answer
    const decision = decisions.get(copyKeys[index] ?? '')
    if (decision === undefined) throw storeUnavailable('the database did not answer for a receipt')
    return answerOf(decision, receipt)
  })

  function tellKnown(tell: OnKnown): void {
    for (const [place, receipt] of receipts.entries()) {
      const decision = decisions.get(copyKeys[place] ?? '')
      if (decision === undefined) continue
      const answer = answerOf(decision, receipt)
      told[place] = answer
      tell(place, answer)
    }
  }
}

/** What was found out about the first of several equal receipts. */
type Decision =
  | { readonly kind: 'inserted'; readonly candidate: Candidate; readonly receiptId: string }
  | {
      readonly kind: 'known_by_id' | 'known_by_key' | 'known_by_body'
      readonly known: KnownEvent
    }
  | { readonly kind: 'busy' }

type KnownEvent = Pick<KnownReceipt, 'receiptId' | 'status' | 'bodyHash' | 'eventId'>

/** Written out: made by spreading, these outlive the collections of young garbage, and a storm of duplicates fills old memory with them. */
function knownById({ receiptId, status, bodyHash }: FoundReceipt, { eventId }: NewReceipt): KnownEvent {
  return { receiptId, status, bodyHash, eventId }
}

/** What a question would have found. */
function isKnownById({ kind }: Decision): boolean {
  return kind === 'known_by_id'
}

/**
 * Decides about what is committed, and returns the rest. A receipt with the id goes before all that the insert would find out, so the answers
 * are the same; what is not there yet is for the insert to decide.
 */
async function askRound(
  database: Database,
  candidates: readonly Candidate[],
  decisions: Map<string, Decision>,
): Promise<readonly Candidate[]> {
  const found = await findKnown(database, candidates.map(receiptOf))
  return candidates.filter(({ receipt, copyKey }, place) => {
    const known = found.get(place)
    if (known === undefined) return true
    decisions.set(copyKey, { kind: 'known_by_id', known: knownById(known, receipt) })
    return false
  })
}

/** Decides what can be decided, and returns what is to be tried again. */
async function recordRound(
  database: Database,
  candidates: readonly Candidate[],
  { decisions, locking }: { readonly decisions: Map<string, Decision>; readonly locking: 'events' | 'nothing' },
): Promise<readonly Candidate[]> {
  const busy = new Set<Candidate>()
  for (const row of await insertReceipts(database, candidates, locking)) {
    const { candidate } = row
    const key = candidate.copyKey
    if (row.outcome === 'busy') busy.add(candidate)
    else if (row.outcome === 'locked') decisions.set(key, { kind: 'busy' })
    else if (row.outcome === 'inserted') decisions.set(key, { kind: 'inserted', candidate, receiptId: row.receiptId })
    else if (row.outcome === 'known')
      decisions.set(key, { kind: 'known_by_id', known: knownById(row, candidate.receipt) })
  }
  const others = candidates.filter(({ copyKey }) => !decisions.has(copyKey))
  if (others.length === 0) return []

  const foundById = new Map((await readKnownById(database, others.map(receiptOf))).map((row) => [keyOf(row), row]))
  const unknown = others.filter(({ receipt }) => !foundById.has(keyOf(receipt)))
  const knownByBody = await readKnownByBody(database, unknown.map(receiptOf))
  const keptKeys = await readKeptKeys(database, unknown.map(receiptOf))
  const open: Candidate[] = []
  for (const candidate of others) {
    const { receipt, copyKey } = candidate
    const { signedBody } = receipt
    const byBody = signedBody && knownByBody.get(hexadecimal(signedBody.key))
    // It may have been recorded between the two look-ups.
    const byId = foundById.get(keyOf(receipt)) ?? (byBody?.eventId === receipt.eventId ? byBody : undefined)
    const keptId = keptKeys.get(receipt)
    if (byId !== undefined) decisions.set(copyKey, { kind: 'known_by_id', known: byId })
    else if (keptId !== undefined) decisions.set(copyKey, { kind: 'known_by_key', known: forgotten(receipt, keptId) })
    else if (byBody === undefined && busy.has(candidate)) decisions.set(copyKey, { kind: 'busy' })
    else if (byBody === undefined) open.push({ receipt, copyKey })
    else if (signedBody?.whenRepeated === 'flag') open.push({ receipt, copyKey, repeatsEventId: byBody.eventId })
    else decisions.set(copyKey, { kind: 'known_by_body', known: byBody })
  }
  return open
}

function answerOf(decision: Decision, receipt: NewReceipt): Recorded {
  switch (decision.kind) {
    case 'inserted': {
      const { candidate, receiptId } = decision
      const { receipt: first, repeatsEventId } = candidate
      if (first === receipt) {
        return repeatsEventId === undefined
          ? { kind: 'first', receiptId }
          : { kind: 'first', receiptId, repeatsEventId }
      }
      const isMutated = hexadecimal(first.body.hash) !== hexadecimal(receipt.body.hash)
      return { kind: 'duplicate', receiptId, status: initialStatus(first), isMutated }
    }
    case 'known_by_id':
    case 'known_by_key': {
      const { receiptId, status, bodyHash } = decision.known
      // Of what did not come as a webhook it is not known how that would have looked.
      const isMutated = bodyHash !== '' && bodyHash !== hexadecimal(receipt.body.hash)
      return { kind: 'duplicate', receiptId, status, isMutated }
    }
    case 'known_by_body': {
      const { receiptId, status, eventId } = decision.known
      return { kind: 'duplicate', receiptId, status, isMutated: false, repeatsEventId: eventId }
    }
    case 'busy':
      return { kind: 'busy' }
  }
}

/** An event of which nothing but the key is left: it was done, and what its body was is not known any more. */
function forgotten({ eventId }: NewReceipt, receiptId: string): KnownEvent {
  return { receiptId, eventId, status: 'processed', bodyHash: '' }
}

function receiptOf({ receipt }: Candidate): NewReceipt {
  return receipt
}

/** Lengths keep the parts apart, whatever is in them. */
function keyOf({ environment, source, eventId }: EventKey): string {
  return `${environment.length}:${environment}${source.length}:${source}${eventId}`
}

/**
 * Receipts that share it share one decision. Equal ids do, unless signed bodies decide too: of two bodies under one id, one may be
 * known and the other new.
 */
function copyKeyOf(receipt: NewReceipt): string {
  const { signedBody } = receipt
  return signedBody === undefined ? keyOf(receipt) : `${hexadecimal(signedBody.key)}${keyOf(receipt)}`
}
