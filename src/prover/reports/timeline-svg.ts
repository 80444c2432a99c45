import type { ScenarioResult } from '../report.ts'
import type { TimelineEntry } from '../timeline.ts'
import { escapeMarkup } from './escape-markup.ts'

type DeliveryEntry = Extract<TimelineEntry, { kind: 'delivery' }>
type MarkEntry = Extract<TimelineEntry, { kind: 'mark' }>

const mostLanes = 30
const width = 580
const left = 116
const right = 54
const laneHeight = 15
const top = 34

/** A picture of what was sent and answered when: one lane for each delivery, a line for everything else. */
export function timelineSvg({ timeline = [], affected = [] }: ScenarioResult): string {
  const all = timeline.filter((entry): entry is DeliveryEntry => entry.kind === 'delivery')
  const deliveries = worthShowing(all, affected)
  const from = Math.min(...deliveries.map((entry) => entry.from))
  const to = Math.max(...deliveries.map((entry) => entry.to), from + 1)
  const marks = timeline.filter((entry): entry is MarkEntry => entry.kind === 'mark' && entry.at >= from)
  const end = Math.max(to, ...marks.map(({ at }) => Math.min(at, to + (to - from) * 0.15)))
  const x = (milliseconds: number): number =>
    left + (Math.min(Math.max(milliseconds, from), end) - from) * ((width - left - right) / (end - from))
  const height = top + deliveries.length * laneHeight + 30
  return [
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="What was sent and answered when">`,
    ...marks.map((mark, index) => drawMark(mark, { x: x(mark.at), index, height })),
    ...deliveries.map((entry, lane) => drawDelivery(entry, { x, y: top + lane * laneHeight })),
    `<text class="axis" x="${left}" y="${height - 6}">0 ms</text>`,
    `<text class="axis" x="${width - right}" y="${height - 6}" text-anchor="end">${Math.round(end - from)} ms</text>`,
    '</svg>',
    all.length > deliveries.length
      ? `<p class="note">${deliveries.length} of ${all.length} deliveries are shown.</p>`
      : '',
  ].join('\n')
}

/** The deliveries of events that something happened to, or else the last ones: a scenario ends where it fails. */
function worthShowing(all: readonly DeliveryEntry[], affected: readonly string[]): readonly DeliveryEntry[] {
  const concerned = all.filter(({ eventId }) => affected.slice(0, 6).includes(eventId))
  const chosen = concerned.length > 0 ? concerned.slice(0, mostLanes) : all.slice(-mostLanes)
  return chosen.toSorted((one, other) => one.from - other.from)
}

function drawDelivery(
  { label, outcome, tone, from, to, eventId }: DeliveryEntry,
  { x, y }: { readonly x: (milliseconds: number) => number; readonly y: number },
): string {
  const length = Math.max(2, x(to) - x(from))
  return [
    `<g><title>${escapeMarkup(`${eventId}: ${outcome} after ${Math.round(to - from)} ms`)}</title>`,
    `<text class="lane" x="${left - 8}" y="${y + 9}" text-anchor="end">${escapeMarkup(short(label, 20))}</text>`,
    `<rect class="${tone}" x="${round(x(from))}" y="${y + 1}" width="${round(length)}" height="${laneHeight - 4}" rx="2"/>`,
    `<text class="outcome" x="${round(x(from) + length + 4)}" y="${y + 10}">${escapeMarkup(short(outcome, 12))}</text></g>`,
  ].join('')
}

function drawMark(
  { label, tone }: MarkEntry,
  { x, index, height }: { readonly x: number; readonly index: number; readonly height: number },
): string {
  const isAtEnd = x > width / 2
  return [
    `<line class="${tone}" x1="${round(x)}" x2="${round(x)}" y1="${top - 4}" y2="${height - 20}"/>`,
    `<text class="mark ${tone}" x="${round(x + (isAtEnd ? -4 : 4))}" y="${index % 2 === 0 ? 12 : 25}"`,
    ` text-anchor="${isAtEnd ? 'end' : 'start'}">${escapeMarkup(short(label, 34))}</text>`,
  ].join('')
}

function short(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
