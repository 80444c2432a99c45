import { createHmac } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { eventBody, secret, usualBytes } from './stripe-events.ts'

/** Requests that are ready to be sent. Their signatures hold for five minutes. */
export type RequestFile = {
  readonly path: string
  readonly recordBytes: number
  readonly count: number
  /** How many different events are among the first so many requests. */
  readonly distinctAmong: (requests: number) => number
}

export type RequestPlan = {
  readonly path: string
  readonly count: number
  /** Which event the request at this place carries. */
  readonly serialAt: (index: number) => number
}

const recordsPerWrite = 500

/** Writes signed Stripe deliveries as whole HTTP requests, all of the same length. */
export function writeRequestFile({ path, count, serialAt }: RequestPlan): RequestFile {
  const serials = Array.from({ length: count }, (_, index) => serialAt(index))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const file = openSync(path, 'w')
  let recordBytes = 0
  try {
    for (let start = 0; start < count; start += recordsPerWrite) {
      const records = serials.slice(start, start + recordsPerWrite).map((serial) => record(serial, timestamp))
      recordBytes = Buffer.byteLength(records[0] ?? '')
      const bytes = Buffer.from(records.join(''))
      if (bytes.length !== records.length * recordBytes) throw new Error('Requests must have the same length.')
      writeSync(file, bytes)
    }
    // Otherwise the system would write it to the disk while a server is measured that waits for that disk.
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return { path, recordBytes, count, distinctAmong: (requests) => new Set(serials.slice(0, requests)).size }
}

/** Every event is new, except that a share of the requests repeats one that was sent before. */
export function withDuplicates(firstSerial: number, share: number): (index: number) => number {
  const random = seededRandom(firstSerial)
  let distinct = 0
  return () => {
    if (distinct > 0 && random() < share) return firstSerial + Math.floor(random() * distinct)
    distinct += 1
    return firstSerial + distinct - 1
  }
}

/** The `stripe-signature` header of a body. */
export function signatureOf(body: string | Uint8Array, timestamp: string): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  return `t=${timestamp},v1=${signature}`
}

function record(serial: number, timestamp: string): string {
  const body = eventBody(serial)
  return (
    'POST /in/stripe HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: Stripe/1.0 (+https://stripe.com/docs/webhooks)\r\n' +
    'Accept: */*; q=0.5, application/xml\r\nCache-Control: no-cache\r\nContent-Type: application/json; charset=utf-8\r\n' +
    `Stripe-Signature: ${signatureOf(body, timestamp)}\r\nContent-Length: ${usualBytes}\r\n\r\n${body}`
  )
}

/** The same numbers in every run. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
