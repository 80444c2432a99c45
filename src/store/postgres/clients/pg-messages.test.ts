import { Connection as PgConnection } from 'pg'
import { expect, test } from 'vitest'
import { PgMessages } from './pg-messages.ts'

/** What arrives, piece by piece. */
function stream(): { readonly writable: boolean; readonly pieces: Buffer[]; readonly write: (bytes: Buffer) => void } {
  const pieces: Buffer[] = []
  return { writable: true, pieces, write: (bytes) => void pieces.push(bytes) }
}

type Messages = Pick<PgMessages, 'parse' | 'bind' | 'describe' | 'execute' | 'close' | 'sync'>

/** The same messages as `pg` itself writes them. */
function writtenByPg(write: (messages: Messages) => void): Buffer {
  const to = stream()
  const Connection = PgConnection as unknown as new (options: object) => Messages
  write(new Connection({ stream: Object.assign(to, { on() {}, once() {} }) }))
  return Buffer.concat(to.pieces)
}

function written(write: (messages: Messages) => void): { readonly bytes: Buffer; readonly pieces: number } {
  const to = stream()
  const messages = new PgMessages()
  write(messages)
  messages.send(to)
  return { bytes: Buffer.concat(to.pieces), pieces: to.pieces.length }
}

const cases: readonly (readonly [string, (messages: Messages) => void])[] = [
  [
    'a call whose text is kept',
    (messages) => {
      messages.parse({ name: 'oncehook_1', text: 'select $1::text' })
      messages.bind({ statement: 'oncehook_1', values: ['one'] })
      messages.execute({})
      messages.sync()
    },
  ],
  [
    'a statement as users send it',
    (messages) => {
      messages.parse({ text: 'insert into t values ($1, $2)', types: [20, 25] })
      messages.bind({ values: [1, { a: 1 }], binary: true, valueMapper: (value) => JSON.stringify(value) })
      messages.describe({ type: 'P', name: '' })
      messages.execute({ portal: '', rows: 0 })
      messages.close({ type: 'S', name: 'kept' })
      messages.describe({ type: 'S', name: 'kept' })
      messages.execute({ portal: 'some', rows: 7 })
      messages.sync()
    },
  ],
  [
    'no values, no text, nulls, and letters of every length',
    (messages) => {
      messages.bind({ values: [] })
      messages.bind({})
      messages.bind({ values: ['', null, undefined, 'é€😀\ud800', Buffer.alloc(0), Buffer.from([0, 255])] })
    },
  ],
  [
    'more than the memory that is there at first',
    (messages) => {
      messages.bind({ values: Array.from({ length: 30 }, (_, index) => Buffer.alloc(10_000, index)) })
      messages.bind({ values: ['€'.repeat(10_000), 'x'.repeat(100_000), 'é'] })
      messages.bind({ values: Array.from({ length: 3000 }, (_, index) => String(index)) })
    },
  ],
]

test.each(cases)('%s: written as pg writes it, and handed over at once', (_, write) => {
  const { bytes, pieces } = written(write)

  expect(bytes.equals(writtenByPg(write))).toBe(true)
  expect(pieces).toBe(1)
})

test('large values are handed over as they are, between what stands before and behind them', () => {
  const large = [Buffer.alloc(20_000, 1), Buffer.alloc(50_000, 2)]
  const write = (messages: Messages): void => {
    messages.bind({ values: ['before', large[0], 'between', large[1]] })
    messages.execute({})
    messages.bind({ values: [Buffer.alloc(16_384, 3)] })
    messages.sync()
  }
  const to = stream()
  const messages = new PgMessages()
  write(messages)
  messages.send(to)

  expect(Buffer.concat(to.pieces).equals(writtenByPg(write))).toBe(true)
  expect(to.pieces).toContain(large[0])
  expect(to.pieces).toContain(large[1])
})

test('values that cannot be sent leave nothing of their message', () => {
  const mistake = new Error('This value has no form.')
  const { bytes } = written((messages) => {
    messages.execute({})
    const values = ['x', Buffer.alloc(20_000), 'y']
    const valueMapper = (value: unknown): unknown => {
      if (value === 'y') throw mistake
      return value
    }
    expect(() => messages.bind({ values, valueMapper })).toThrow(mistake)
    messages.sync()
  })

  const expected = writtenByPg((messages) => {
    messages.execute({})
    messages.sync()
  })
  expect(bytes.equals(expected)).toBe(true)
})

test('what is handed over stays as it is while the next messages are written', () => {
  const to = stream()
  const [first, second] = ['first', 'second'].map((statement) => {
    const messages = new PgMessages()
    messages.bind({ statement })
    messages.send(to)
    return to.pieces.at(-1)?.toString('latin1')
  })

  expect(to.pieces.map((piece) => piece.toString('latin1'))).toEqual([first, second])
  expect(first).toContain('first')
})

test('messages that are written while others are do not mix with them', () => {
  const [outer, inner] = [stream(), stream()]
  const messages = new PgMessages()
  const valueMapper = (value: unknown): unknown => {
    const others = new PgMessages()
    others.bind({ statement: 'inner', values: ['inner'] })
    others.send(inner)
    return value
  }
  messages.bind({ statement: 'outer', values: ['outer'], valueMapper })
  messages.send(outer)

  const expected = writtenByPg((one) => one.bind({ statement: 'outer', values: ['outer'] }))
  expect(Buffer.concat(outer.pieces).equals(expected)).toBe(true)
})

test('nothing is written to a stream that takes nothing any more', () => {
  const to = { ...stream(), writable: false }
  const messages = new PgMessages()
  messages.sync()
  messages.send(to)

  expect(to.pieces).toEqual([])
})
