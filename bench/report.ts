import { createPaint, type Paint } from '../src/cli/colour.ts'
import { padded, widthOf } from '../src/cli/table.ts'
import type { Table } from './tables.ts'

/** What people see while it runs, and afterwards. */
export type Reporter = {
  /** A line that the next one replaces; where the output is no terminal, a line of its own. */
  readonly say: (what: string) => void
  readonly line: (text: string) => void
  readonly problem: (text: string) => void
  readonly heading: (text: string) => void
  readonly table: (table: Table) => void
}

export function createReporter(output: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): Reporter {
  const isTerminal = output.isTTY
  const paint = createPaint({ isTerminal, environment })
  const startedAt = performance.now()
  const wipe = isTerminal ? '\r\u001b[K' : ''

  const line = (text: string): void => void output.write(`${wipe}${text}\n`)
  return {
    line,
    say(what) {
      const text = paint('dim', `${clockOf(performance.now() - startedAt)}  ${what}`)
      output.write(isTerminal ? `${wipe}${text}` : `${text}\n`)
    },
    problem: (text) => line(paint('red', text)),
    heading: (text) => line(`\n${paint('bold', text)}`),
    table: (table) => line(`${draw(table, paint)}\n`),
  }
}

/** Titles are not put in capitals, as in tables of the command line: the µ of µs would look like an M. */
function draw({ title, columns, rows }: Table, paint: Paint): string {
  const [, ...others] = columns
  const head = [title, ...others].map((cell) => paint('dim', cell))
  const lines = rows.map(({ cells, isOurs }) =>
    cells.map((cell) => (isOurs ? paint('green', cell) : coloured(cell, paint))),
  )
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((cells) => widthOf(cells[column] ?? ''))))
  const align = (cell: string, column: number): string =>
    padded(cell, widths[column] ?? 0, column === 0 ? 'left' : 'right')
  return [head, ...lines].map((cells) => cells.map(align).join('  ')).join('\n')
}

function coloured(cell: string, paint: Paint): string {
  if (cell === 'yes') return paint('green', cell)
  return cell === 'no' ? paint('red', cell) : cell
}

function clockOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
