import { randomUUID } from 'node:crypto'
import { type Delivery, firstHeader, onlyHeader } from '../delivery/delivery.ts'
import { sha256 } from './bytes.ts'
import { readForm } from './form.ts'
import { type ParsedJson, parseJson } from './json.ts'
import { readMembers, type WantedMembers } from './json-members.ts'
import type { PassedDocument } from './passed-document.ts'
import { queryOf } from './url.ts'
import type { Malformed } from './verdict.ts'

/** A delivery as a declaration reads it. Each part is worked out when it is first asked for. */
export type Incoming = {
  readonly delivery: Delivery
  /** A header that was sent exactly once. */
  readonly headers: { readonly get: (name: string) => string | undefined }
  /** The parsed JSON; undefined if it cannot be parsed, which makes the delivery malformed. */
  readonly document: unknown
  readonly form: URLSearchParams
  readonly query: URLSearchParams
  /** True if the body is a form, by its content type. */
  readonly isForm: boolean
  /** SHA-256 of the exact body, in hex. */
  readonly bodySha256: string
  /**
   * New for every delivery, the same within one: the id of an event where nothing that the provider sends tells two events apart.
   * Processing such an event once more is the safe side; dropping it would lose a change.
   */
  readonly arrivalId: string
}

/** An incoming delivery, and what was found to be unreadable about it so far. */
export type IncomingReader = Incoming & {
  readonly unreadable: Malformed | undefined
  /**
   * The same delivery for one who asks for no other members of the document: it may hold nothing else, unless it is to be passed on. Whoever
   * reads this one still gets the whole.
   */
  readonly withOnly: (wanted: WantedMembers, passed?: PassedDocument) => IncomingReader
}

/** Reads the document of a delivery; `plain` numbers are for handlers, `exact` ones for ids. */
export type ReadDocument = (delivery: Delivery, numbers: 'exact' | 'plain') => ParsedJson | Malformed

/** Where the document of a delivery is, if the body is not it. */
export type DocumentPlace = {
  /** The form field that holds the JSON, where it can come inside a form. */
  readonly documentField?: string
  readonly readDocument?: ReadDocument
}

/** Reads lazily. */
export function readIncoming(delivery: Delivery, place: DocumentPlace = {}): IncomingReader {
  return new LazyIncoming(delivery, place)
}

/** A class, because an object with getters of its own takes longer to make than a signature to check. */
class LazyIncoming implements IncomingReader {
  readonly delivery: Delivery
  unreadable: Malformed | undefined = undefined
  readonly #place: DocumentPlace
  readonly #wanted: WantedMembers | undefined
  readonly #passed: PassedDocument | undefined
  #isRead = false
  #document: unknown
  #form: URLSearchParams | undefined
  #query: URLSearchParams | undefined

  constructor(delivery: Delivery, place: DocumentPlace, wanted?: WantedMembers, passed?: PassedDocument) {
    this.delivery = delivery
    this.#place = place
    this.#wanted = wanted
    this.#passed = passed
  }

  withOnly(wanted: WantedMembers, passed?: PassedDocument): IncomingReader {
    // To read a second time would cost more than it saves, and members are found in a body only.
    const isWhole = this.#isRead || this.#place.readDocument !== undefined || this.#isInField
    return isWhole ? this : new LazyIncoming(this.delivery, this.#place, wanted, passed)
  }

  get headers(): Incoming['headers'] {
    return { get: (name) => onlyHeader(this.delivery.headers, name.toLowerCase()) }
  }

  get document(): unknown {
    if (!this.#isRead) {
      this.#isRead = true
      this.#document = this.#read()
    }
    return this.#document
  }

  get form(): URLSearchParams {
    this.#form ??= readForm(this.delivery.body)
    return this.#form
  }

  get query(): URLSearchParams {
    this.#query ??= queryOf(this.delivery.url)
    return this.#query
  }

  get isForm(): boolean {
    return /^application\/x-www-form-urlencoded\b/i.test(firstHeader(this.delivery.headers, 'content-type') ?? '')
  }

  get bodySha256(): string {
    return sha256(this.delivery.body).toString('hex')
  }

  get arrivalId(): string {
    return arrivalIdOf(this.delivery)
  }

  get #isInField(): boolean {
    return this.#place.documentField !== undefined && this.isForm
  }

  #read(): unknown {
    const parsed = this.#parse()
    if (parsed.kind === 'parsed') return parsed.document
    this.unreadable = parsed
    return undefined
  }

  #parse(): ParsedJson | Malformed {
    const { documentField = '', readDocument } = this.#place
    if (readDocument !== undefined) return readDocument(this.delivery, 'exact')
    if (this.#passed?.isExpected === true) return this.#passed.parse(this.delivery.body)
    if (this.#wanted !== undefined) return readMembers(this.delivery.body, this.#wanted)
    if (!this.#isInField) return parseJson(this.delivery.body)
    const parsed = parseJson(Buffer.from(this.form.get(documentField) ?? '', 'utf8'))
    return parsed.kind === 'parsed'
      ? parsed
      : { ...parsed, detail: `The form field "${documentField}": ${parsed.detail}` }
  }
}

const arrivalIds = new WeakMap<Delivery, string>()

function arrivalIdOf(delivery: Delivery): string {
  const known = arrivalIds.get(delivery)
  if (known !== undefined) return known
  const id = `arrival:${randomUUID()}`
  arrivalIds.set(delivery, id)
  return id
}
