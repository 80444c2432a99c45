// What the bare contenders share: the least that a ledger has to hold, and arrays as PostgreSQL itself writes them.

/** A receipt that is there once, its body, a place in the queue with a lease, and the log of attempts. Nothing else. */
export const bareTablesSql = `
  create table receipts (id bigint generated always as identity primary key, event_id text not null unique, type text not null,
    status text not null, processed_at timestamptz) with (fillfactor = 50);
  create table bodies (receipt_id bigint primary key, content bytea not null) with (toast_tuple_target = 8160);
  create table queue (receipt_id bigint primary key, due_at timestamptz not null default clock_timestamp(), fence int not null default 0);
  create index on queue (due_at);
  create table attempts (receipt_id bigint not null, fence int not null, ended_at timestamptz not null default clock_timestamp())`

/** Ids, types and bodies of deliveries that are recorded together. */
export function columnsOf(deliveries) {
  return [
    binaryArray(
      'text',
      deliveries.map(({ event }) => event.id),
    ),
    binaryArray(
      'text',
      deliveries.map(({ event }) => event.type),
    ),
    binaryArray(
      'bytea',
      deliveries.map(({ body }) => body),
    ),
  ]
}

const typeNumbers = { bytea: 17, int8: 20, text: 25 }

export function binaryArray(type, elements) {
  const parts = elements.map((element) => (Buffer.isBuffer(element) ? element : encoded(type, element)))
  const array = Buffer.allocUnsafe(20 + parts.reduce((bytes, part) => bytes + 4 + part.length, 0))
  let at = 0
  for (const number of [1, 0, typeNumbers[type], parts.length, 1]) at = array.writeInt32BE(number, at)
  for (const part of parts) {
    at = array.writeInt32BE(part.length, at)
    at += part.copy(array, at)
  }
  return array
}

function encoded(type, element) {
  if (type === 'text') return Buffer.from(element)
  const number = Buffer.allocUnsafe(8)
  number.writeBigInt64BE(BigInt(element))
  return number
}
