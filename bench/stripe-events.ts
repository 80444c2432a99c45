import { createHash } from 'node:crypto'

/** What signs every event of the benchmark. */
export const secret = 'whsec_dGhlIGJlbmNobWFyayBvZiBPbmNlaG9vaw'

/** The size of an event unless another is asked for. */
export const usualBytes = 2048

/**
 * An id of the shape of Stripe's: its beginning grows with time, its end looks random. `eventIdSql` is the same in SQL.
 * Always 28 characters.
 */
export function eventId(serial: number): string {
  return `evt_1${digitsOf(serial)}2eZvKY${createHash('md5').update(String(serial)).digest('hex').slice(0, 8)}`
}

/** The same id as a SQL expression over a serial number. */
export function eventIdSql(serial: string): string {
  return `'evt_1' || lpad((${serial})::text, 9, '0') || '2eZvKY' || left(md5((${serial})::text), 8)`
}

/** An invoice that was paid, as JSON of exactly so many bytes. The same serial number always gives the same bytes. */
export function eventBody(serial: number, bytes = usualBytes): string {
  const [start, middle, end] = templateOf(bytes)
  return start + eventId(serial) + middle + invoiceId(serial) + end
}

type Template = readonly [start: string, middle: string, end: string]

const templates = new Map<number, Template>()

/** An event of this size around the two places where events differ. */
function templateOf(bytes: number): Template {
  const known = templates.get(bytes)
  if (known !== undefined) return known
  const missing = bytes - Buffer.byteLength(JSON.stringify(event('')))
  if (missing < 0) throw new Error(`An event has at least ${bytes - missing} bytes.`)
  const [start = '', middleAndEnd = ''] = JSON.stringify(event(noise(missing))).split(eventId(0))
  const [middle = '', end = ''] = middleAndEnd.split(invoiceId(0))
  const template: Template = [start, middle, end]
  templates.set(bytes, template)
  return template
}

function event(padding: string): object {
  return {
    id: eventId(0),
    object: 'event',
    api_version: '2026-10-29.clover',
    created: 1_790_000_000,
    data: { object: invoice() },
    livemode: true,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: 'invoice.paid',
    padding,
  }
}

/** What the event is about. */
function invoiceId(serial: number): string {
  return `in_1${digitsOf(serial)}2eZvKYlo2C`
}

function invoice(): object {
  return {
    id: invoiceId(0),
    object: 'invoice',
    account_country: 'DE',
    account_name: 'Example GmbH',
    amount_due: 4200,
    amount_paid: 4200,
    amount_remaining: 0,
    attempt_count: 1,
    attempted: true,
    billing_reason: 'subscription_cycle',
    collection_method: 'charge_automatically',
    currency: 'eur',
    customer: 'cus_QpXyZ0123456789',
    customer_address: {
      city: 'Berlin',
      country: 'DE',
      line1: 'Street 1',
      line2: null,
      postal_code: '10115',
      state: null,
    },
    customer_email: 'someone@example.com',
    hosted_invoice_url: 'https://invoice.example.com/i/acct_1/live_YWNjdF8x',
    lines: {
      object: 'list',
      data: [1, 2, 3, 4, 5].map(line),
      has_more: false,
      total_count: 5,
    },
    metadata: { order: '6735', plan: 'team' },
    paid: true,
    payment_intent: 'pi_3NG8Du2eZvKYlo2C1n9q4XQ3',
    period_end: 1_790_000_000,
    period_start: 1_787_408_000,
    status: 'paid',
    subtotal: 4200,
    tax: null,
    total: 4200,
  }
}

function line(number: number): object {
  const description = `${number} × Seat (at €8.40 / month)`
  return { id: `il_${number}`, object: 'line_item', amount: 840, currency: 'eur', description, type: 'subscription' }
}

/** Text that does not compress away, as repeated letters would. */
function noise(length: number): string {
  const digests = Array.from({ length: Math.ceil(length / 64) }, (_, index) => sha256(`noise ${index}`))
  return digests.join('').slice(0, length)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function digitsOf(serial: number): string {
  return String(serial).padStart(9, '0')
}
