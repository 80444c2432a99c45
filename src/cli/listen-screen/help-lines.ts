import type { Paint } from '../colour.ts'
import { drawFacts } from '../table.ts'

const keys: readonly (readonly [string, string])[] = [
  ['↑ ↓, j k', 'choose; PgUp, PgDn, Home (g), End (G)'],
  ['Enter', 'inspect: timeline, answer, headers, body'],
  ['r', 'replay: once more, the same Idempotency-Key'],
  ['p', 'pause: what comes is kept back until p'],
  ['/', 'only what holds a text; Esc shows all again'],
  ['?', 'this help'],
  ['q, Ctrl+C', 'quit'],
]

const marks: readonly (readonly [string, string])[] = [
  ['✓ processed', 'the endpoint answered 2xx'],
  ['↻ retry', 'it did not, and is tried again by itself'],
  ['↻ waits', 'it failed often, and is left alone now'],
  ['✗ dead letter', 'it was tried often enough; r tries again'],
  ['· recorded', 'nobody wants it: there is no --forward'],
  ['= duplicate', 'it came before you looked; nothing is sent'],
  ['! forged, …', 'turned away, and nothing of it is stored'],
]

/** What the keys and the marks mean. */
export function helpLines(paint: Paint): readonly string[] {
  return [
    paint('bold', 'Keys'),
    ...drawFacts(keys).split('\n'),
    '',
    paint('bold', 'Marks'),
    ...drawFacts(marks).split('\n'),
  ].map((line) => (line === '' ? line : `  ${line}`))
}
