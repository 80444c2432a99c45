import { keptCorrelationId } from '../delivery/correlation.ts'
import { OncehookError, permanent } from '../errors.ts'
import { conceal } from '../privacy/conceal.ts'
import { keyNotGiven } from '../privacy/encryption-errors.ts'
import { type Redaction, redactedValue } from '../privacy/redaction.ts'
import type { BodyToStore, StoredForm } from '../receipt/receipt.ts'
import type { StoredBody } from '../store/store.ts'
import { parseJson, parseJsonText } from '../verify/json.ts'
import type { IdentifiedEvent, Provider } from '../verify/provider.ts'
import type { StandardSchema, UntypedPayload, WebhookEvent } from './handler.ts'

/** A body as it was stored, or as it has just come. */
type EventBody = StoredBody & Pick<BodyToStore, 'stored' | 'passed'>

export type EventParts = {
  readonly source: string
  readonly event: IdentifiedEvent
  readonly receiptId: string
  readonly receivedAt: Date
  /** Undefined once it was pruned. With what is stored of it, if that is less than what handlers see here. */
  readonly body: EventBody | undefined
  readonly bodyId: string
  /** The provider's own way to the document, where the body is neither JSON nor a form. */
  readonly readDocument: Provider['readDocument']
}

/** The event that handlers get. Its body is parsed at the first use and never before. */
export function createWebhookEvent(parts: EventParts): WebhookEvent {
  const made = new LazyEvent(parts)
  const { body } = parts
  if (body?.stored?.redaction !== undefined) concealed.set(made, { original: body.content, stored: body.stored })
  return made
}

/**
 * A class, because every object with getters of its own costs the engine a table of its own, which outlives the event by many collections of
 * garbage and keeps all of it. So whoever prints an event does not print its payload.
 */
class LazyEvent implements WebhookEvent {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly receiptId: string
  readonly deliveryId: string | undefined
  readonly objectId: string | undefined
  readonly part: string | undefined
  readonly occurredAt: Date | undefined
  readonly receivedAt: Date
  readonly redacted: readonly string[]
  readonly #parts: EventParts
  readonly #typed: { readonly payload: UntypedPayload } | undefined
  #parsed: { readonly document: UntypedPayload } | undefined = undefined

  constructor(parts: EventParts, typed?: { readonly payload: UntypedPayload }) {
    const { source, event, receiptId, receivedAt, body } = parts
    this.id = event.id
    this.type = event.type
    this.source = source
    this.receiptId = receiptId
    this.deliveryId = event.deliveryId
    this.objectId = event.objectId
    this.part = event.part
    this.occurredAt = event.occurredAt
    this.receivedAt = receivedAt
    this.redacted = body?.redaction?.paths ?? nothing
    this.#parts = parts
    this.#typed = typed
  }

  /** The same event with another payload. */
  static typed(event: WebhookEvent, payload: UntypedPayload): WebhookEvent {
    if (!(event instanceof LazyEvent)) throw new TypeError('This is not an event of createWebhookEvent.')
    return new LazyEvent(event.#parts, { payload })
  }

  get correlationId(): string {
    const { body, bodyId } = this.#parts
    return keptCorrelationId(body?.headers, bodyId)
  }

  get payload(): UntypedPayload {
    if (this.#typed !== undefined) return this.#typed.payload
    if (this.part === undefined) return this.document
    const { body } = this.#parts
    const value = valueAt(this.document, this.part)
    const isGone = value === undefined || value === redactedValue
    if (isGone && body?.redaction !== undefined) throw bodyRedacted(this.source, this.id, body.redaction)
    return value
  }

  get document(): UntypedPayload {
    this.#parsed ??= { document: documentOf(this.#keptBody(), this.#parts) }
    return this.#parsed.document
  }

  get body(): Uint8Array {
    return this.#keptBody().content
  }

  get headers(): ReadonlyMap<string, string> {
    return new Map(this.#storedBody().headers)
  }

  #storedBody(): EventBody {
    const { body } = this.#parts
    if (body === undefined) throw bodyUnavailable(this.source, this.id)
    if (body.sealed !== undefined) throw body.sealed.problem ?? keyNotGiven(body.sealed.keyId)
    return body
  }

  #keptBody(): EventBody {
    const kept = this.#storedBody()
    if (kept.redaction?.withheld !== undefined) throw bodyRedacted(this.source, this.id, kept.redaction)
    return kept
  }
}

const nothing: readonly string[] = []

/** What handlers see of these events must not be stored. */
const concealed = new WeakMap<WebhookEvent, { readonly original: Uint8Array; readonly stored: StoredForm }>()

/** What a handler says of an event, without what must not be stored of it. */
export function concealRedacted(event: WebhookEvent, text: string): string {
  const hidden = concealed.get(event)
  return hidden === undefined ? text : conceal(text, hidden.original, hidden.stored)
}

/** The same event with its payload checked and typed by the user's schema. */
export async function applySchema(event: WebhookEvent, schema: StandardSchema<unknown>): Promise<WebhookEvent> {
  const result = await schema['~standard'].validate(event.payload)
  if (result.issues !== undefined) {
    const issues = result.issues.map(({ message }) => message).slice(0, 5)
    throw permanent(
      new Error(
        `The payload of ${event.source} event ${event.id} does not fit the handler's schema: ${issues.join('; ')}`,
      ),
    )
  }
  return LazyEvent.typed(event, result.value as UntypedPayload)
}

function documentOf(body: EventBody, { source, event, readDocument }: EventParts): UntypedPayload {
  if (body.redaction?.isDocument === true) return jsonOf(body, source, event.id)
  if (readDocument === undefined) return parseBody(body, source, event.id)
  const read = readDocument({ body: body.content, headers: body.headers })
  if (read.kind === 'parsed') return read.document
  throw unreadable(source, event.id, read.detail)
}

function parseBody(body: EventBody, source: string, eventId: string): UntypedPayload {
  const contentType = body.headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  const isForm = contentType.toLowerCase().startsWith('application/x-www-form-urlencoded')
  if (!isForm) return jsonOf(body, source, eventId)
  const fields = new URLSearchParams(Buffer.from(body.content).toString('utf8'))
  // GitHub and Slack put their JSON into a form field of this name.
  const wrapped = fields.get('payload')
  return wrapped === null ? Object.fromEntries(fields) : documentIn(parseJsonText(wrapped, 'plain'), source, eventId)
}

/** What was parsed is not parsed again, and what was read as text is not turned into bytes. */
function jsonOf(body: EventBody, source: string, eventId: string): UntypedPayload {
  // Not taken out of the body with the rest: of what was read as text, bytes are made only for those who ask for them.
  const { text, passed } = body
  const parsed =
    passed?.take() ?? (text === undefined ? parseJson(body.content, 'plain') : parseJsonText(text, 'plain'))
  return documentIn(parsed, source, eventId)
}

function documentIn(parsed: ReturnType<typeof parseJson>, source: string, eventId: string): UntypedPayload {
  if (parsed.kind === 'parsed') return parsed.document
  throw unreadable(source, eventId, parsed.detail)
}

function unreadable(source: string, eventId: string, detail: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_PAYLOAD_NOT_JSON',
    `The body of ${source} event ${eventId} cannot be read as JSON (${detail}). The exact bytes are in event.body.`,
  )
}

/** Follows a JSON pointer (RFC 6901). */
function valueAt(document: UntypedPayload, pointer: string): UntypedPayload {
  let value: UntypedPayload = document
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** No retry brings back what was never stored. */
function bodyRedacted(source: string, eventId: string, { paths, withheld }: Redaction): Error {
  const why = withheld ?? `${paths.join(', ')} was left out, and this event was in it.`
  return permanent(
    new OncehookError(
      'ONCEHOOK_BODY_REDACTED',
      `The payload of ${source} event ${eventId} was not stored. ${why} Use ids and fetchCurrent() here, or an inline handler, which sees the original.`,
    ),
  )
}

function bodyUnavailable(source: string, eventId: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_BODY_UNAVAILABLE',
    `The body of ${source} event ${eventId} is no longer stored, so it cannot be processed again. Raise the retention of bodies to replay events this old.`,
  )
}
