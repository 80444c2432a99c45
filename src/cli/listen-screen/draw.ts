import type { Colour, Paint } from '../colour.ts'
import { describeDuration, timeOfDay } from '../duration.ts'
import { forwardAdvice } from '../forward-advice.ts'
import { printable, shortened } from '../printable.ts'
import { padded } from '../table.ts'
import { detailLines } from './details.ts'
import { helpLines } from './help-lines.ts'
import { chosenRow, keptBack, type ScreenState, shownRows } from './model.ts'
import type { Row, RowState } from './rows.ts'
import { cutLine, wrapLine } from './wrap-line.ts'

/** What the screen needs to be drawn, besides what happened. */
export type Drawing = {
  readonly columns: number
  readonly lines: number
  readonly now: Date
  readonly paint: Paint
  /** Where webhooks come in and where they go, in one line. */
  readonly title: string
}

/** The lines, and how many of them an inspection can be scrolled by at most. */
export type Drawn = { readonly lines: readonly string[]; readonly mostTop: number }

/** Draws everything anew: as many lines as there is room for, none of them longer than the screen is wide. */
export function drawScreen(state: ScreenState, drawing: Drawing): Drawn {
  const { columns, lines, paint, title } = drawing
  const room = Math.max(1, lines - 5)
  const { shown, mostTop } = contentOf(state, drawing, room)
  const filled = [...shown, ...Array.from({ length: Math.max(0, room - shown.length) }, () => '')]
  const drawn = [paint('bold', title), ...filled, ...footer(state, drawing)]
  return { lines: drawn.map((line) => cutLine(line, columns)), mostTop }
}

function contentOf(
  state: ScreenState,
  drawing: Drawing,
  room: number,
): { readonly shown: readonly string[]; readonly mostTop: number } {
  const { columns, paint } = drawing
  const { view } = state
  switch (view.kind) {
    case 'help':
      return { shown: helpLines(paint).slice(0, room), mostTop: 0 }
    case 'inspect': {
      const all = detailLines(view.row, view.details, paint).flatMap((line) => wrapLine(line, columns))
      const mostTop = Math.max(0, all.length - room)
      const top = Math.min(view.top, mostTop)
      return { shown: all.slice(top, top + room), mostTop }
    }
    case 'list':
    case 'typing':
      return { shown: listLines(state, drawing, room), mostTop: 0 }
  }
}

function listLines(state: ScreenState, drawing: Drawing, room: number): readonly string[] {
  const { paint, columns } = drawing
  const rows = shownRows(state)
  const chosen = chosenRow(state)
  const widths = widthsFor(columns)
  const titles = ['  TIME', 'SOURCE', 'TYPE', 'EVENT', 'STATUS', 'ANSWER', 'TOOK', 'COPIES']
  if (rows.length === 0) {
    const why = state.filter === '' ? 'Waiting for webhooks.' : 'Nothing that came fits the filter.'
    return [paint('dim', joined(titles, widths)), paint('dim', `  ${why}`)]
  }
  const index = rows.findIndex((row) => row === chosen)
  const start = Math.max(0, index - (room - 2))
  const drawn = rows
    .slice(start, start + room - 1)
    .map((row) => rowLine(row, { widths, drawing, isChosen: row === chosen }))
  return [paint('dim', joined(titles, widths)), ...drawn]
}

function rowLine(
  row: Row,
  {
    widths,
    drawing,
    isChosen,
  }: { readonly widths: readonly number[]; readonly drawing: Drawing; readonly isChosen: boolean },
): string {
  const { paint, now } = drawing
  const { mark, colour, word } = lookOf(row.state)
  const time = `${isChosen ? '›' : ' '} ${timeOfDay(row.at).slice(0, 8)}`
  const cells = [
    isChosen ? paint('bold', time) : paint('dim', time),
    printable(row.source),
    printable(row.type ?? '-'),
    printable(row.eventId ?? '-'),
    paint(colour, fitted(`${mark} ${word}${waitOf(row, now)}`, widths[4] ?? 0)),
    paint(answerColour(row), answerText(row)),
    row.tookMilliseconds === undefined ? '-' : describeDuration(row.tookMilliseconds),
    row.copies === 0 ? '' : paint('magenta', `+${row.copies}`),
  ]
  const plain = new Set([1, 2, 3])
  return joined(
    cells.map((cell, index) => (plain.has(index) ? fitted(cell, widths[index] ?? 0) : cell)),
    widths,
  )
}

/** Ids and types share what the rest leaves. Where there is little room, columns that say less have no width and are left out. */
function widthsFor(columns: number): readonly number[] {
  const isNarrow = columns < narrowColumns
  const [took, copies] = isNarrow ? [0, 0] : [7, 6]
  const free = Math.max(10, columns - (isNarrow ? 35 : 51))
  const source = isNarrow ? 0 : Math.min(16, Math.max(8, Math.floor(free * 0.2)))
  const type = Math.min(40, Math.floor((free - source) * 0.5))
  return [10, source, type, Math.min(60, free - source - type), 15, 6, took, copies]
}

const narrowColumns = 72

function joined(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .flatMap((cell, index) => (widths[index] === 0 ? [] : [padded(cell, widths[index] ?? 0)]))
    .join(' ')
    .trimEnd()
}

function fitted(text: string, width: number): string {
  return shortened(text, Math.max(1, width))
}

function lookOf(state: RowState): { readonly mark: string; readonly colour: Colour; readonly word: string } {
  switch (state) {
    case 'queued':
      return { mark: '…', colour: 'cyan', word: 'on its way' }
    case 'processed':
      return { mark: '✓', colour: 'green', word: 'processed' }
    case 'retrying':
      return { mark: '↻', colour: 'yellow', word: 'retry' }
    case 'deferred':
      return { mark: '↻', colour: 'cyan', word: 'waits' }
    case 'failed':
      return { mark: '✗', colour: 'red', word: 'dead letter' }
    case 'recorded':
      return { mark: '·', colour: 'dim', word: 'recorded' }
    case 'duplicate':
      return { mark: '=', colour: 'magenta', word: 'duplicate' }
    case 'handshake':
      return { mark: '✓', colour: 'cyan', word: 'handshake' }
    case 'forged':
      return { mark: '!', colour: 'red', word: 'forged' }
    case 'malformed':
    case 'refused':
    case 'unavailable':
      return { mark: '!', colour: 'yellow', word: state }
  }
}

function waitOf({ state, nextAttemptAt }: Row, now: Date): string {
  if (nextAttemptAt === undefined || (state !== 'retrying' && state !== 'deferred')) return ''
  const seconds = Math.ceil((nextAttemptAt.getTime() - now.getTime()) / 1000)
  return seconds <= 0 ? ' now' : ` in ${seconds} s`
}

/** By class, as everywhere. */
function answerColour({ answerStatus = 0, state }: Row): Colour {
  const colours: Readonly<Record<number, Colour>> = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' }
  return colours[Math.floor(answerStatus / 100)] ?? (state === 'retrying' || state === 'failed' ? 'red' : 'dim')
}

function answerText({ answerStatus, state }: Row): string {
  if (answerStatus !== undefined) return String(answerStatus)
  return state === 'retrying' || state === 'failed' ? 'none' : '-'
}

function footer(state: ScreenState, { paint }: Drawing): readonly string[] {
  const { view, filter, message, pausedAt } = state
  const chosen = chosenRow(state)
  const remark = view.kind === 'list' || view.kind === 'typing' ? chosen?.remark : undefined
  const advice = remark === undefined ? undefined : forwardAdvice(remark)
  const paused = pausedAt === undefined ? '' : paint('yellow', `paused, ${keptBack(state)} new  `)
  const filtered = filter === '' && view.kind !== 'typing' ? '' : paint('cyan', `filter: ${printable(filter)}  `)
  const hints =
    view.kind === 'typing'
      ? 'Enter keeps the filter, Esc removes it'
      : view.kind === 'inspect'
        ? '↑↓ scroll  r replay  Enter back  q quit'
        : view.kind === 'help'
          ? 'any key: back  q quit'
          : '↑↓ choose  Enter inspect  r replay  p pause  / filter  ? help  q quit'
  return [
    paint('yellow', printable(remark ?? '')),
    advice ?? '',
    printable(message ?? ''),
    paused + filtered + paint('dim', hints),
  ]
}
