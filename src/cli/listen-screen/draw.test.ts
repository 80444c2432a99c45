import { describe, expect, test } from 'vitest'
import type { InboxEvent, Receipt } from '../../index.ts'
import type { Paint } from '../colour.ts'
import { widthOf } from '../table.ts'
import { drawScreen } from './draw.ts'
import { firstState, type ScreenState, stateAfterEvent } from './model.ts'
import { cutLine, wrapLine } from './wrap-line.ts'

const at = new Date(2026, 0, 2, 3, 4, 5)
const plain: Paint = (_, text) => text
const coloured: Paint = (colour, text) => (text === '' ? '' : `\u001b[${colour.length}m${text}\u001b[0m`)
const delivery = {
  kind: 'delivery',
  outcome: 'accepted',
  source: 'stripe',
  type: 'invoice.paid',
  eventId: 'evt_1',
  receiptId: '1',
  correlationId: 'c',
  status: 202,
  latencyMilliseconds: 1,
} as const
const run = {
  kind: 'handler',
  environment: 'default',
  source: 'stripe',
  eventId: 'evt_1',
  type: 'invoice.paid',
  receiptId: '1',
  handler: 'h',
  correlationId: 'c',
  attempt: 1,
  tookMilliseconds: 12,
} as const

describe('the screen', () => {
  test('has an event in a line, with its status, its answer and its copies', () => {
    const text = drawn([
      delivery,
      { ...run, outcome: 'succeeded', endsAs: 'processed', answerStatus: 200 },
      { ...delivery, outcome: 'duplicate' },
    ])

    expect(text).toMatch(/^› 03:04:05 +stripe +invoice\.paid +evt_1 +✓ processed +200 +12 ms +\+1$/m)
    expect(text).toContain('http://127.0.0.1:4400 → app')
  })

  test('says what is wrong with the endpoint, what to do, and when it is tried again', () => {
    const error = 'Error: localhost:3000 could not be reached: ECONNREFUSED.'

    const text = drawn([delivery, { ...run, outcome: 'retrying', nextAttemptInSeconds: 4, error }])

    expect(text).toMatch(/↻ retry in 4 s +none/)
    expect(text).toMatch(/ECONNREFUSED\.\nNobody listens there: start your app/)
  })

  test.each([20, 40, 80, 200])('of %i columns has no line that is wider, and as many lines as there are', (columns) => {
    const long = { ...delivery, eventId: 'e'.repeat(300), type: 't'.repeat(300), source: 's'.repeat(60) }
    const state = told([long, { ...long, receiptId: '2', outcome: 'ignored' }])

    for (const view of [{ kind: 'list' }, { kind: 'help' }, { kind: 'typing' }] as const) {
      const { lines } = drawScreen(
        { ...state, view },
        { columns, lines: 12, now: at, paint: coloured, title: 'x'.repeat(300) },
      )

      expect(lines).toHaveLength(12)
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns)
    }
  })

  test.each([
    [80, '  TIME     SOURCE   TYPE       EVENT       STATUS          ANSWER TOOK    COPIES'],
    [60, '  TIME     TYPE         EVENT         STATUS          ANSWER'],
  ])('of %i columns has room for every column that it shows', (columns, titles) => {
    const state = told([delivery, { ...delivery, outcome: 'duplicate' }])

    const { lines } = drawScreen(state, { columns, lines: 12, now: at, paint: plain, title: '' })

    expect(lines[1]).toBe(titles)
    expect(lines[2]?.endsWith('+1')).toBe(columns === 80)
  })

  test('keeps the chosen row in sight', () => {
    const state = told(Array.from({ length: 50 }, (_, index) => ({ ...delivery, receiptId: String(index) })))

    const { lines } = drawScreen(
      { ...state, chosen: '7' },
      { columns: 100, lines: 14, now: at, paint: plain, title: '' },
    )

    expect(lines.filter((line) => line.startsWith('›'))).toHaveLength(1)
  })

  test('shows nothing of a sender as a command, wherever it stands', () => {
    const evil = '\u001b[2J\u009b31m\u202e\u0007'
    const content = Buffer.from(`{"a":"\u009b2J\u202e${JSON.stringify(evil).slice(1, -1)}"}`)
    const state = told([
      { ...delivery, source: evil, type: evil, eventId: evil },
      { ...run, outcome: 'retrying', source: evil, type: evil, eventId: evil, error: evil },
      { kind: 'notice', level: 'warning', message: evil },
    ])
    const [row] = state.rows.list
    if (row === undefined) throw new Error('There is no row.')
    const receipt = {
      id: '1',
      status: 'retrying',
      source: evil,
      type: evil,
      eventId: evil,
      lastError: evil,
    } as unknown as Receipt
    const details = {
      receipt: { ...receipt, receivedAt: at, origin: 'webhook', deliveries: 1, attempts: 1, bodyHash: '' } as Receipt,
      timeline: [],
      body: {
        content,
        headers: [
          ['x-evil', evil],
          ['x-api-key', 'hush'],
        ] as const,
        redaction: undefined,
      },
      redaction: undefined,
    }
    const size = { columns: 100, lines: 60, now: at, paint: plain, title: '' }

    const list = drawScreen({ ...state, filter: evil.slice(0, 1) }, size).lines.join('')
    const inspected = drawScreen({ ...state, view: { kind: 'inspect', row, details, top: 0 } }, size).lines.join('')

    expect(list + inspected).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(inspected).toContain('x-evil: \\u{1b}[2J')
    expect(inspected).toContain('"a": "\\u{9b}2J\\u{202e}\\u001b[2J')
    expect(inspected).toMatch(/x-api-key: \[masked [0-9a-f]{8}\]/)
  })

  test('can be scrolled in an inspection to its last line and no further', () => {
    const state = told([{ ...delivery, receiptId: undefined as never, outcome: 'forged', detail: 'x'.repeat(500) }])
    const [row] = state.rows.list
    if (row === undefined) throw new Error('There is no row.')
    const view = { kind: 'inspect', row, details: undefined, top: 9000 } as const

    const { lines, mostTop } = drawScreen(
      { ...state, view },
      { columns: 20, lines: 10, now: at, paint: plain, title: '' },
    )

    expect(mostTop).toBeGreaterThan(10)
    expect(lines.slice(1, 7).join('')).toContain('is stored.')
  })
})

describe('a line that is too long', () => {
  test('is broken between characters, and colours take no room', () => {
    expect(wrapLine('\u001b[31mab😀d\u001b[0m', 2)).toEqual(['\u001b[31mab', '😀d\u001b[0m'])
    expect(cutLine('abc', 2)).toBe('ab')
    expect(wrapLine('', 2)).toEqual([''])
  })
})

function told(events: readonly InboxEvent[]): ScreenState {
  return events.reduce((state, event) => stateAfterEvent(state, event, at), firstState)
}

function drawn(events: readonly InboxEvent[]): string {
  const size = { columns: 120, lines: 20, now: at, paint: plain, title: 'http://127.0.0.1:4400 → app' }
  return drawScreen(told(events), size).lines.join('\n')
}
