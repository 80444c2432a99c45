import { stripVTControlCharacters } from 'node:util'

export type Column = {
  readonly title: string
  /** Numbers stand on the right. Default left. */
  readonly align?: 'left' | 'right'
}

/** Draws rows under their titles, columns two spaces apart. Cells may be coloured. */
export function drawTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const titles = columns.map(({ title }) => title.toUpperCase())
  const lines = [titles, ...rows]
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => widthOf(cells[index] ?? ''))))
  return lines.map((cells) => drawLine(columns, cells, widths)).join('\n')
}

/** Pairs of a name and a value under each other, values aligned. */
export function drawFacts(facts: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...facts.map(([name]) => widthOf(name)))
  return facts.map(([name, value]) => `${padded(name, width)}  ${value}`).join('\n')
}

/** The text, filled up with spaces to a width. What is longer stays as it is. */
export function padded(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'left' ? text + space : space + text
}

function drawLine(columns: readonly Column[], cells: readonly string[], widths: readonly number[]): string {
  const filled = columns.map(({ align }, index) => padded(cells[index] ?? '', widths[index] ?? 0, align))
  return filled.join('  ').trimEnd()
}

/** How many characters a text takes on the screen. Colours take none. */
export function widthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length
}
