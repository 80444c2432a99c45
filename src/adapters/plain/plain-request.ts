import type { DeliveryHeaders } from '../../delivery/delivery.ts'

/** A request as nearly every sender writes it: `POST`, HTTP/1.1, one length, nothing that needs a second thought. */
export type PlainRequest = {
  /** Path and query, as they were sent. */
  readonly target: string
  readonly headers: DeliveryHeaders
  readonly bodyBytes: number
  /** Where the body begins. */
  readonly bodyStart: number
  /** Whether the sender wants to send more on this connection. */
  readonly connection: 'keep-alive' | 'close'
}

/** `unfinished`: its headers have not all come. `other`: it may be right or wrong, which is for a whole HTTP parser to say. */
export type PlainReading = { readonly kind: 'plain'; readonly request: PlainRequest } | 'unfinished' | 'other'

/** As much as `node:http` is told to take. */
export const longestHeadBytes = 16_384

const headEnd = Buffer.from('\r\n\r\n', 'latin1')
const lineStart = 'POST '
const lineEnd = ' HTTP/1.1'

/**
 * Reads the head of a request, if it is plain. What is plain can be read in one way only, so that no other parser on the way of a request
 * could have seen another one in the same bytes: lines end with CR and LF, names are tokens, values are printable ASCII, and there is one
 * length and no other way to say where the body ends.
 */
export function readPlainRequest(bytes: Buffer): PlainReading {
  const headBytes = bytes.indexOf(headEnd)
  if (headBytes < 0) return bytes.length > longestHeadBytes || !startsPlain(bytes) ? 'other' : 'unfinished'
  if (headBytes > longestHeadBytes) return 'other'
  const head = bytes.toString('latin1', 0, headBytes)
  if (!printableLines.test(head)) return 'other'
  const target = targetOf(head)
  if (target === undefined) return 'other'
  const headers = headersOf(head, lineStart.length + target.length + lineEnd.length)
  if (headers === undefined || hasMore(headers)) return 'other'
  const bodyBytes = lengthOf(headers)
  const connection = connectionOf(headers)
  if (bodyBytes === undefined || connection === undefined) return 'other'
  return {
    kind: 'plain',
    request: { target, headers, bodyBytes, bodyStart: headBytes + headEnd.length, connection },
  }
}

/** Tabs, spaces and printable ASCII; line ends only in pairs. */
const printableLines = /^[\t -~]*(?:\r\n[\t -~]+)*$/

function startsPlain(bytes: Buffer): boolean {
  return lineStart.startsWith(bytes.toString('latin1', 0, lineStart.length))
}

/** A path of printable characters, from the request line. */
function targetOf(head: string): string | undefined {
  if (!head.startsWith(lineStart)) return undefined
  const end = head.indexOf(' ', lineStart.length)
  if (end < 0 || !head.startsWith(lineEnd, end)) return undefined
  const target = head.slice(lineStart.length, end)
  return target.startsWith('/') && !target.includes('\t') ? target : undefined
}

/** From the end of the request line on. Undefined where a line is no header, and where something follows the version of HTTP. */
function headersOf(head: string, from: number): DeliveryHeaders | undefined {
  const headers = new Map<string, string[]>()
  for (let start = from; start < head.length; ) {
    // Two characters of the line end. Where the version goes on with others, the first of them is found to be no name.
    const colon = head.indexOf(':', start)
    if (colon < 0 || head.charCodeAt(start) !== 13) return undefined
    const name = nameOf(head.slice(start + 2, colon))
    if (name === undefined) return undefined
    const next = head.indexOf('\r', colon)
    const end = next < 0 ? head.length : next
    const value = trimmed(head, colon + 1, end)
    const values = headers.get(name)
    if (values === undefined) headers.set(name, [value])
    else values.push(value)
    start = end
  }
  return headers
}

/** Senders use the same few names again and again; whoever invents new ones does not fill the memory. */
const names = new Map<string, string>()
const mostNames = 1000
const longestName = 100

/** In lower case, or undefined if it is not a name: a line that is folded begins with a space, and one without a colon has a line end in it. */
function nameOf(sent: string): string | undefined {
  const known = names.get(sent)
  if (known !== undefined) return known
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(sent)) return undefined
  const name = sent.toLowerCase()
  if (sent.length > longestName) return name
  if (names.size >= mostNames) names.clear()
  // A copy: a piece of a text keeps all of it in memory.
  names.set(Buffer.from(sent, 'latin1').toString('latin1'), name)
  return name
}

/** Without the spaces and tabs around it. */
function trimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (start < end && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

/** Whatever makes a request something else than its head and so many bytes, and a host that is not one. */
function hasMore(headers: DeliveryHeaders): boolean {
  return (
    headers.has('transfer-encoding') ||
    headers.has('expect') ||
    headers.has('upgrade') ||
    headers.get('host')?.length !== 1
  )
}

function lengthOf(headers: DeliveryHeaders): number | undefined {
  const values = headers.get('content-length')
  const value = values?.length === 1 ? values[0] : undefined
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

function connectionOf(headers: DeliveryHeaders): PlainRequest['connection'] | undefined {
  const values = headers.get('connection')
  if (values === undefined) return 'keep-alive'
  const value = values.length === 1 ? values[0]?.toLowerCase() : undefined
  return value === 'keep-alive' || value === 'close' ? value : undefined
}
