import { isUtf8 } from 'node:buffer'
import type { Difference } from '../adapter.ts'

export const notUtf8: Difference = {
  name: 'Body that is not UTF-8',
  reason:
    'We verify the bytes that came. The library turns them into text first, and what is no text becomes something else.',
  we: 'accept',
  isMeant: ({ delivery }) => !isUtf8(delivery.body),
}

export const emptyBody: Difference = {
  name: 'Empty body',
  reason:
    'The library asks for a body before it looks at the signature. Signed rightly, an empty one is authentic; as it names no event, it goes no further.',
  we: 'accept',
  isMeant: ({ delivery }) => delivery.body.length === 0,
}

export const notJson: Difference = {
  name: 'Body that is not JSON',
  reason:
    'The library parses the body in the same breath, and calls what it cannot read a wrong signature. For us it is authentic, and then malformed.',
  we: 'accept',
  isMeant: ({ asked }) => !isJson(asked.text),
}

/** Both ways: the library verifies what it makes of the body. */
export const rewrittenBody: readonly Difference[] = (['accept', 'refuse'] as const).map((we) => ({
  name: `Body written ${we === 'accept' ? 'with spaces or escapes' : 'anew'}`,
  reason: 'The library parses the body and verifies what it writes again. We verify the bytes that came.',
  we,
  isMeant: ({ asked }) => isJson(asked.text) && JSON.stringify(JSON.parse(asked.text)) !== asked.text,
}))

/** Both ways: the library verifies a body without its byte order mark. */
export const byteOrderMark: readonly Difference[] = (['accept', 'refuse'] as const).map((we) => ({
  name: `Byte order mark ${we === 'accept' ? 'that was signed' : 'that was added'}`,
  reason: 'The library drops a byte order mark before it verifies. We verify the bytes that came.',
  we,
  isMeant: ({ delivery }) =>
    Buffer.from(delivery.body)
      .subarray(0, 3)
      .equals(Buffer.from([0xef, 0xbb, 0xbf])),
}))

export const rewrittenQuery: Difference = {
  name: 'Query written anew',
  reason:
    'The library also tries the address with its query parsed and written again. We take the address that was called.',
  we: 'refuse',
  isMeant: ({ mutation }) => mutation === 'an empty query that was not signed',
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
