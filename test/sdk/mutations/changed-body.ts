import { isIn, type Mutation, named } from './mutation.ts'

type Change = (body: Buffer, position: number, random: { below: (limit: number) => number }) => Buffer | string

/** Bodies that are not the ones that were signed. */
export const changedBodies: readonly Mutation[] = named<Change>(
  {
    'a byte of the body changed': (body, position, random) => {
      const changed = Buffer.from(body)
      changed[position] = (changed[position] ?? 0) ^ (1 << random.below(7))
      return changed
    },
    'a byte of the body removed': (body, position) =>
      Buffer.concat([body.subarray(0, position), body.subarray(position + 1)]),
    'a byte added to the body': (body, position, random) =>
      Buffer.concat([body.subarray(0, position), Buffer.from([32 + random.below(90)]), body.subarray(position)]),
    'the body cut off': (body, position) => body.subarray(0, position),
    'the body sent twice': (body) => Buffer.concat([body, body]),
    'the body taken away': () => '',
    'the body in another case': (body) => body.toString('utf8').toUpperCase(),
    'the body written anew': (body) => rewritten(body, (document) => JSON.stringify(document)),
    'the body written anew with spaces': (body) =>
      rewritten(body, (document) => JSON.stringify(document, undefined, 1)),
    'the body with escapes for é': (body) =>
      body.toString('utf8').replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${hex(character)}`),
    'the body with é in two parts': (body) => body.toString('utf8').normalize('NFD'),
    'the body with a newline added': (body) => `${body.toString('utf8')}\n`,
    'the body with CRLF for newlines': (body) => body.toString('utf8').replaceAll('\n', '\r\n'),
    'the body with a byte order mark added': (body) => `\uFEFF${body.toString('utf8')}`,
  },
  (change) => ({
    // Every other time with something to change in it: é, and a line feed.
    prepare: (random, { adapter }) =>
      isIn(adapter.bodies, 'json') && random.below(2) === 0
        ? { body: (made) => made.replace('{', '{\n"note":"Zoë",').replace(',}', '}') }
        : {},
    change: (delivery, random) => {
      const body = Buffer.from(delivery.body)
      const changed = change(body, random.below(Math.max(body.length, 1)), random)
      return { ...delivery, body: Buffer.from(changed) }
    },
  }),
)

function rewritten(body: Buffer, write: (document: unknown) => string): string {
  const text = body.toString('utf8')
  try {
    return write(JSON.parse(text))
  } catch {
    return new URLSearchParams([...new URLSearchParams(text)].toReversed()).toString()
  }
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}
