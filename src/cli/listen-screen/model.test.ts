import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../index.ts'
import { readKeys } from './keys.ts'
import {
  afterKey,
  chosenRow,
  firstState,
  keptBack,
  type ScreenState,
  shownRows,
  stateAfterEvent,
  stateWithDetails,
  type Wish,
} from './model.ts'

const at = new Date('2026-01-02T03:04:05.000Z')
const run = {
  kind: 'handler',
  environment: 'default',
  source: 'stripe',
  eventId: 'evt_3',
  type: 'invoice.paid',
  handler: 'h',
  correlationId: 'c',
  attempt: 1,
  tookMilliseconds: 3,
} as const

const forged = {
  kind: 'delivery',
  outcome: 'forged',
  source: 'stripe',
  correlationId: 'c',
  status: 401,
  latencyMilliseconds: 1,
} as const

const three = ['1', '2', '3'].reduce(arrived, firstState)

describe('choosing', () => {
  test('begins at the newest and stays there while others come', () => {
    expect(chosenRow(three)?.key).toBe('3')
    expect(chosenRow(arrived(three, '4'))?.key).toBe('4')
  })

  test('goes with a row once it was moved to, whatever comes', () => {
    const { state } = pressed(three, 'j')

    expect(chosenRow(arrived(state, '4'))?.key).toBe('2')
  })

  test.each([
    ['\u001b[B\u001b[B', '1'],
    ['jjjjj', '1'],
    ['jjk', '2'],
    ['G', '1'],
    ['Gg', '3'],
    ['k', '3'],
  ])('by %j comes to %s, and never past an end', (keys, key) => {
    expect(chosenRow(pressed(three, keys).state)?.key).toBe(key)
  })

  test('of nothing does nothing', () => {
    expect(pressed(firstState, 'jGr\r')).toEqual({ state: firstState, wishes: [] })
  })
})

describe('keys', () => {
  test('ask for an inspection and go back', () => {
    const looking = pressed(three, 'j\r')

    expect(looking.wishes).toEqual([{ kind: 'inspect', receiptId: '2' }])
    expect(looking.state.view).toMatchObject({ kind: 'inspect', row: { key: '2' }, details: undefined })
    expect(pressed(looking.state, '\u001b').state.view).toEqual({ kind: 'list' })
  })

  test('ask for a replay of the chosen one, in the list and while it is inspected', () => {
    const wish = { kind: 'replay', receiptId: '2' }

    expect(pressed(three, 'jr').wishes).toEqual([wish])
    expect(pressed(three, 'j\rr').wishes.at(-1)).toEqual(wish)
  })

  test('replay nothing that was turned away, and say so', () => {
    const { state, wishes } = pressed(stateAfterEvent(firstState, forged, at), 'r')

    expect(wishes).toEqual([])
    expect(state.message).toMatch(/turned away/)
  })

  test.each(['q', '\u0003', '?q', '\rq', '/\u0003'])('%j quits', (keys) => {
    expect(pressed(three, keys).wishes.at(-1)).toEqual({ kind: 'quit' })
  })

  test('in a filter are text, and narrow the list as they are typed', () => {
    const { state, wishes } = pressed(three, '/EVT_qr')

    expect(state.filter).toBe('EVT_qr')
    expect(wishes).toEqual([])
    expect(shownRows(pressed(state, '\u007f\u007f2').state).map(({ key }) => key)).toEqual(['2'])
    expect(pressed(state, '\u001b').state).toMatchObject({ filter: '', view: { kind: 'list' } })
    expect(pressed(state, '\r').state).toMatchObject({ filter: 'EVT_qr', view: { kind: 'list' } })
  })
})

describe('a pause', () => {
  test('keeps back what comes, but not what becomes of the rest', () => {
    const paused = arrived(pressed(three, 'p').state, '4')
    const done = stateAfterEvent(paused, { ...run, outcome: 'succeeded', endsAs: 'processed', receiptId: '3' }, at)

    expect(shownRows(done).map(({ key, state }) => `${key} ${state}`)).toEqual(['3 processed', '2 queued', '1 queued'])
    expect(keptBack(done)).toBe(1)
    expect(shownRows(pressed(done, 'p').state)).toHaveLength(4)
  })
})

describe('details', () => {
  test('that come late are not shown for another receipt', () => {
    const details = { receipt: {} as Receipt, timeline: [], body: undefined, redaction: undefined }
    const { state } = pressed(three, '\r')

    expect(stateWithDetails(state, '2', details)).toBe(state)
    expect(stateWithDetails(state, '3', details).view).toMatchObject({ details })
  })

  test('follow what happens to their row', () => {
    const looking = pressed(three, '\r').state

    const later = stateAfterEvent(looking, { ...run, outcome: 'dead', receiptId: '3', error: 'no' }, at)

    expect(later.view).toMatchObject({ row: { state: 'failed', remark: 'no' } })
  })
})

function arrived(state: ScreenState, receiptId: string): ScreenState {
  const about = { eventId: `evt_${receiptId}`, type: 'invoice.paid', receiptId }
  return stateAfterEvent(state, { ...forged, outcome: 'accepted', status: 202, ...about }, at)
}

function pressed(from: ScreenState, input: string): { readonly state: ScreenState; readonly wishes: readonly Wish[] } {
  let state = from
  const wishes: Wish[] = []
  // A lone escape is one only at the end of what was sent.
  for (const key of readKeys(input)) {
    const step = afterKey(state, key)
    state = step.state
    if (step.wish !== undefined) wishes.push(step.wish)
  }
  return { state, wishes }
}
