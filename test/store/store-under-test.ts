import { createHash, randomUUID } from 'node:crypto'
import type { NewReceipt, SignedBody } from '../../src/receipt/receipt.ts'
import type { Claim, ClaimRequest, HandlerRun, RunLimits, Store } from '../../src/store/store.ts'

/** A store with empty tables in a schema of its own, and a way to look at its rows behind its back. */
export type StoreUnderTest<Tx> = {
  /** Migrated. */
  readonly store: Store<Tx>
  readonly schema: string
  readonly query: <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** Sends one statement through the transaction object that handlers get. */
  readonly execute: (tx: Tx, text: string) => Promise<unknown>
  /** The library's own way to a savepoint, if it forgives a failed statement in no other. */
  readonly savepoint?: (tx: Tx, work: (tx: Tx) => Promise<unknown>) => Promise<unknown>
  readonly dispose: () => Promise<void>
}

export type MakeStore<Tx> = () => Promise<StoreUnderTest<Tx>>

type ReceiptParts = Partial<Omit<NewReceipt, 'event' | 'body'>> & {
  readonly event?: Partial<NewReceipt['event']>
  readonly content?: string | Uint8Array
  readonly body?: NewReceipt['body']
}

export function bodyToStore(content: string | Uint8Array = '{}'): NewReceipt['body'] {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return {
    id: randomUUID(),
    content: bytes,
    hash: createHash('sha256').update(bytes).digest(),
    headers: [['content-type', 'application/json']],
  }
}

export function newReceipt(parts: ReceiptParts = {}): NewReceipt {
  const { event, content, body = bodyToStore(content), ...rest } = parts
  const eventId = parts.eventId ?? `evt_${randomUUID()}`
  return {
    environment: 'test',
    source: 'stripe',
    eventId,
    event: { id: eventId, type: 'invoice.paid', ...event },
    body,
    secretIndex: 0,
    disposition: 'queued',
    orderKey: undefined,
    ...rest,
  }
}

/** An event of a source whose ids are not signed. Its key is that of its content. */
export function signedReceipt(
  eventId: string,
  content: string,
  { whenRepeated = 'flag', ...parts }: ReceiptParts & Partial<Pick<SignedBody, 'whenRepeated'>> = {},
): NewReceipt {
  const key = createHash('sha256').update(content).digest()
  return newReceipt({ source: 'github', eventId, content, signedBody: { key, whenRepeated }, ...parts })
}

export const scope = { environment: 'test', sources: ['stripe'] } as const

export function claimRequest(parts: Partial<ClaimRequest> = {}): ClaimRequest {
  return { ...scope, worker: 'worker-1', limit: 10, leaseSeconds: 30, ...parts }
}

export function handlerRun(parts: Partial<HandlerRun> = {}): HandlerRun {
  return {
    attempt: 1,
    handler: 'h',
    worker: 'worker-1',
    outcome: 'succeeded',
    error: undefined,
    tookMilliseconds: 5,
    ...parts,
  }
}

export function limits(parts: Partial<RunLimits> = {}): RunLimits {
  return { handler: 'ship order', timeoutSeconds: 30, abort: new AbortController(), ...parts }
}

/** Records one event and claims it. */
export async function claimOne<Tx>(
  { store }: StoreUnderTest<Tx>,
  receipt: NewReceipt = newReceipt(),
  request: ClaimRequest = claimRequest(),
): Promise<Claim> {
  await store.recordReceipts([receipt])
  const claims = await store.claim(request)
  const claim = claims.find(({ eventId }) => eventId === receipt.eventId)
  if (claim === undefined) throw new Error(`${receipt.eventId} was not claimed.`)
  return claim
}

/** Lets a lease run out without waiting for it. */
export async function expireLeases<Tx>({ query, schema }: StoreUnderTest<Tx>): Promise<void> {
  await query(`update "${schema}".queue set due_at = clock_timestamp() - interval '1 second'`)
}

/** The code of what a promise rejects with, also if a library has wrapped the error of the database. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: { readonly code?: unknown; readonly cause?: { readonly code?: unknown } }) =>
      error.code ?? error.cause?.code ?? error,
  )
}
