import type { NewReceipt, Recorded } from '../../src/receipt/receipt.ts'
import type { TestDatabase } from '../support/database.ts'
import { newReceipt } from './store-under-test.ts'

/** What differs between them differs in as many ways as it can. */
export function groupsOf(environment: string): readonly (readonly NewReceipt[])[] {
  const occurredAt = new Date('2024-02-29T12:00:00.123Z')
  const one = (eventId: string, event: Partial<NewReceipt['event']> = {}, content = eventId): NewReceipt =>
    newReceipt({ environment, eventId, event, content, secretIndex: 1 })
  return [
    [one('b'), one('a', { objectId: 'in_1', occurredAt }), one('c', { deliveryId: 'd_1', type: 'größer \u0000' })],
    [one('a', { type: 'other' }), one('e', { occurredAt: new Date('not a time') }), one('a', {}, 'mutated')],
    [one('f', {}, ''), one('g\n"{},\\'), withHeaders(one('h'))],
    [one('a'), one('b')],
    [one('i'), one('j')].map((receipt) => ({ ...receipt, secretIndex: undefined })),
  ]
}

function withHeaders(receipt: NewReceipt): NewReceipt {
  return { ...receipt, body: { ...receipt.body, headers: [['x-note', 'of its own']] } }
}

/** All that a group writes, but for ids and times. */
export function rowsOf({ query, schema }: TestDatabase, environment: string): Promise<readonly unknown[]> {
  return query(
    `select receipts.source, event_id, type, delivery_id, object_id, occurred_at, receipts.status, receipts.attempts, secret_index, part,
       receipts.order_key, last_error, failed_at, processed_at, signed_key, repeats_event_id, deliveries, body_hash, content, headers,
       stored_on = (received_at at time zone 'UTC')::date as is_of_its_day, queue.environment = receipts.environment as is_queued,
       queue.source as queue_source, queue.attempts as queue_attempts, queue.order_key as queue_order_key, fence, leased_by,
       due_at <= clock_timestamp() as is_due
     from "${schema}".receipts
     join "${schema}".bodies on bodies.id = receipts.body_id
     join "${schema}".queue on queue.receipt_id = receipts.id
     where receipts.environment = $1 order by event_id`,
    [environment],
  )
}

/** The events that the receipts are of. */
export function idsOf({ query, schema }: TestDatabase, recorded: readonly Recorded[]): Promise<readonly unknown[]> {
  return Promise.all(
    recorded.map(async ({ receiptId }) => {
      const [row] = await query<{ id: string }>(
        `select event_id as id from "${schema}".receipts where id = $1::bigint`,
        [receiptId],
      )
      return row?.id
    }),
  )
}
