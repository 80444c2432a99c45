import { randomUUID } from 'node:crypto'
import { type Delivery, firstHeader, onlyHeader } from '../delivery/delivery.ts'
import { sha256 } from './bytes.ts'
import { readForm } from './form.ts'
import { type ParsedJson, parseJson } from './json.ts'
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
export type IncomingReader = { readonly incoming: Incoming; readonly unreadable: () => Malformed | undefined }

/** Reads the document of a delivery; `plain` numbers are for handlers, `exact` ones for ids. */
export type ReadDocument = (delivery: Delivery, numbers: 'exact' | 'plain') => ParsedJson | Malformed

/** Where the document of a delivery is, if the body is not it. */
export type DocumentPlace = {
  /** The form field that holds the JSON, where it can come inside a form. */
  readonly documentField?: string
  readonly readDocument?: ReadDocument
}

/** Reads lazily. */
export function readIncoming(delivery: Delivery, { documentField, readDocument }: DocumentPlace = {}): IncomingReader {
  let unreadable: Malformed | undefined
  let made: { readonly document: unknown } | undefined
  let madeForm: URLSearchParams | undefined
  let madeQuery: URLSearchParams | undefined
  const form = (): URLSearchParams => (madeForm ??= readForm(delivery.body))
  const isForm = (): boolean =>
    /^application\/x-www-form-urlencoded\b/i.test(firstHeader(delivery.headers, 'content-type') ?? '')
  const read = (): unknown => {
    const isInField = documentField !== undefined && isForm()
    const json = isInField ? Buffer.from(form().get(documentField) ?? '', 'utf8') : delivery.body
    const parsed = readDocument === undefined ? parseJson(json) : readDocument(delivery, 'exact')
    if (parsed.kind === 'parsed') return parsed.document
    unreadable = isInField ? { ...parsed, detail: `The form field "${documentField}": ${parsed.detail}` } : parsed
    return undefined
  }
  const incoming: Incoming = {
    delivery,
    headers: { get: (name) => onlyHeader(delivery.headers, name.toLowerCase()) },
    get document() {
      made ??= { document: read() }
      return made.document
    },
    get form() {
      return form()
    },
    get query() {
      madeQuery ??= queryOf(delivery.url)
      return madeQuery
    },
    get isForm() {
      return isForm()
    },
    get bodySha256() {
      return sha256(delivery.body).toString('hex')
    },
    get arrivalId() {
      return arrivalIdOf(delivery)
    },
  }
  return { incoming, unreadable: () => unreadable }
}

const arrivalIds = new WeakMap<Delivery, string>()

function arrivalIdOf(delivery: Delivery): string {
  const known = arrivalIds.get(delivery)
  if (known !== undefined) return known
  const id = `arrival:${randomUUID()}`
  arrivalIds.set(delivery, id)
  return id
}
