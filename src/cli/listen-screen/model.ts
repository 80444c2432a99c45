import type { InboxEvent } from '../../index.ts'
import type { ReceiptDetails } from './details.ts'
import type { Key } from './keys.ts'
import { afterEvent, afterReplay, noRows, type Row, type Rows } from './rows.ts'

/** All that the screen shows, apart from its size and the time. */
export type ScreenState = {
  readonly rows: Rows
  /** The key of a row. Undefined: the newest one, whichever that is. */
  readonly chosen: string | undefined
  /** Rows that came later are kept back. */
  readonly pausedAt: number | undefined
  readonly filter: string
  readonly view: View
  /** The last thing worth saying, until the next key. */
  readonly message: string | undefined
}

export type View =
  | { readonly kind: 'list' | 'typing' | 'help' }
  /** `details` are undefined while they are read. */
  | {
      readonly kind: 'inspect'
      readonly row: Row
      readonly details: ReceiptDetails | undefined
      /** How many lines are scrolled off. */
      readonly top: number
    }

/** What a key asks for besides a change of the screen. */
export type Wish =
  | { readonly kind: 'quit' }
  | { readonly kind: 'inspect'; readonly receiptId: string }
  | { readonly kind: 'replay'; readonly receiptId: string }

export type Step = { readonly state: ScreenState; readonly wish?: Wish }

export const firstState: ScreenState = {
  rows: noRows,
  chosen: undefined,
  pausedAt: undefined,
  filter: '',
  view: { kind: 'list' },
  message: undefined,
}

const pageLines = 10

/** The rows that are shown: not kept back, and fitting the filter. */
export function shownRows({ rows, filter, pausedAt = Number.POSITIVE_INFINITY }: ScreenState): readonly Row[] {
  const text = filter.toLowerCase()
  return rows.list.filter((row) => row.number <= pausedAt && (text === '' || textOf(row).includes(text)))
}

/** The row that keys are about. */
export function chosenRow(state: ScreenState): Row | undefined {
  const shown = shownRows(state)
  return shown.find(({ key }) => key === state.chosen) ?? shown[0]
}

/** How many rows a pause keeps back. */
export function keptBack({ rows, pausedAt }: ScreenState): number {
  return pausedAt === undefined ? 0 : rows.count - pausedAt
}

export function stateAfterEvent(state: ScreenState, event: InboxEvent, at: Date): ScreenState {
  if (event.kind === 'notice') {
    return { ...state, message: event.error === undefined ? event.message : `${event.message} ${event.error}` }
  }
  return withRows(state, afterEvent(state.rows, event, at))
}

export function stateAfterReplay(state: ScreenState, receiptId: string): ScreenState {
  return withRows({ ...state, message: `Receipt ${receiptId} is sent again.` }, afterReplay(state.rows, receiptId))
}

/** Details come late: they count only if the same receipt is still looked at. */
export function stateWithDetails(state: ScreenState, receiptId: string, details: ReceiptDetails): ScreenState {
  const { view } = state
  return view.kind === 'inspect' && view.row.receiptId === receiptId ? { ...state, view: { ...view, details } } : state
}

/** What a key does. */
export function afterKey(state: ScreenState, key: Key): Step {
  if (key.kind === 'interrupt') return { state, wish: { kind: 'quit' } }
  const quiet = { ...state, message: undefined }
  switch (state.view.kind) {
    case 'typing':
      return { state: afterTyping(quiet, key) }
    case 'help':
      return isText(key, 'q') ? { state, wish: { kind: 'quit' } } : { state: { ...quiet, view: { kind: 'list' } } }
    case 'inspect':
      return afterInspectKey(quiet, state.view, key)
    case 'list':
      return afterListKey(quiet, key)
  }
}

function afterListKey(state: ScreenState, key: Key): Step {
  const move = moveOf(key)
  if (move !== undefined) return { state: moved(state, move) }
  if (key.kind === 'enter') return inspected(state)
  if (key.kind === 'escape') return { state: { ...state, filter: '' } }
  if (key.kind !== 'text') return { state }
  switch (key.text) {
    case 'q':
      return { state, wish: { kind: 'quit' } }
    case 'r':
      return replayed(state, chosenRow(state))
    case 'p':
      return { state: { ...state, pausedAt: state.pausedAt === undefined ? state.rows.count : undefined } }
    case '/':
      return { state: { ...state, view: { kind: 'typing' } } }
    case '?':
      return { state: { ...state, view: { kind: 'help' } } }
    default:
      return { state }
  }
}

function afterInspectKey(state: ScreenState, view: Extract<View, { kind: 'inspect' }>, key: Key): Step {
  const move = moveOf(key)
  if (move !== undefined) return { state: { ...state, view: { ...view, top: Math.max(0, view.top + move) } } }
  if (key.kind === 'enter' || key.kind === 'escape' || key.kind === 'backspace') {
    return { state: { ...state, view: { kind: 'list' } } }
  }
  if (isText(key, 'q')) return { state, wish: { kind: 'quit' } }
  return isText(key, 'r') ? replayed(state, view.row) : { state }
}

/** The filter works while it is typed. */
function afterTyping(state: ScreenState, key: Key): ScreenState {
  switch (key.kind) {
    case 'text':
      return { ...state, filter: state.filter + key.text }
    case 'backspace':
      return { ...state, filter: Array.from(state.filter).slice(0, -1).join('') }
    case 'clear':
      return { ...state, filter: '' }
    case 'escape':
      return { ...state, filter: '', view: { kind: 'list' } }
    case 'enter':
      return { ...state, view: { kind: 'list' } }
    default:
      return state
  }
}

function inspected(state: ScreenState): Step {
  const row = chosenRow(state)
  if (row === undefined) return { state }
  const { receiptId } = row
  const looking = { ...state, view: { kind: 'inspect', row, details: undefined, top: 0 } } as const
  return receiptId === undefined ? { state: looking } : { state: looking, wish: { kind: 'inspect', receiptId } }
}

function replayed(state: ScreenState, row: Row | undefined): Step {
  if (row === undefined) return { state }
  const { receiptId } = row
  return receiptId === undefined
    ? { state: { ...state, message: 'It was turned away, so there is nothing to send again.' } }
    : { state, wish: { kind: 'replay', receiptId } }
}

function moved(state: ScreenState, by: number): ScreenState {
  const shown = shownRows(state)
  const from = Math.max(
    0,
    shown.findIndex(({ key }) => key === state.chosen),
  )
  const to = Math.min(Math.max(0, from + by), Math.max(0, shown.length - 1))
  // At the top it stays with the newest, as at the beginning.
  return { ...state, chosen: to === 0 ? undefined : shown[to]?.key }
}

/** By how many lines a key moves. */
function moveOf(key: Key): number | undefined {
  switch (key.kind) {
    case 'up':
      return -1
    case 'down':
      return 1
    case 'pageUp':
      return -pageLines
    case 'pageDown':
      return pageLines
    case 'first':
      return Number.MIN_SAFE_INTEGER
    case 'last':
      return Number.MAX_SAFE_INTEGER
    case 'text':
      return { k: -1, j: 1, g: Number.MIN_SAFE_INTEGER, G: Number.MAX_SAFE_INTEGER }[key.text]
    default:
      return undefined
  }
}

function withRows(state: ScreenState, rows: Rows): ScreenState {
  const { view } = state
  if (view.kind !== 'inspect') return { ...state, rows }
  const row = rows.list.find(({ key }) => key === view.row.key) ?? view.row
  return { ...state, rows, view: { ...view, row } }
}

function textOf({ source, type, eventId, receiptId, state, answerStatus, remark }: Row): string {
  return [source, type, eventId, receiptId, state, answerStatus, remark].join(' ').toLowerCase()
}

function isText(key: Key, text: string): boolean {
  return key.kind === 'text' && key.text === text
}
