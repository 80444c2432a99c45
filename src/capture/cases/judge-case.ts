import { isDeepStrictEqual } from 'node:util'
import { parseRedactionPath } from '../../privacy/redaction-path.ts'
import type { HeaderPair } from '../../store/capture-store.ts'
import { exactText, readExactJson, valuesAt } from '../exact-json.ts'
import { fitsGlob } from '../glob.ts'
import { jsonHolds } from '../match-rule.ts'
import type { CaseExpectation, RowExpectation } from './case-file.ts'

/** An answer as far as a case looks at it. */
export type CaseAnswer = {
  /** Undefined if none came. */
  readonly status: number | undefined
  readonly headers: readonly HeaderPair[]
  readonly text: string
  readonly error: string | undefined
}

/** What is not as expected of an answer, each in a sentence. */
export function judgeAnswer(expect: CaseExpectation, answer: CaseAnswer): readonly string[] {
  if (answer.status === undefined) return [`no answer came: ${answer.error ?? 'nobody says why'}`]
  return [...statusMistakes(expect, answer.status), ...headerMistakes(expect, answer), ...bodyMistakes(expect, answer)]
}

function statusMistakes({ status = '2xx' }: CaseExpectation, given: number): readonly string[] {
  const wanted = [status].flat()
  const isRight = wanted.some((one) =>
    typeof one === 'number' ? one === given : `${Math.floor(given / 100)}xx` === one,
  )
  return isRight ? [] : [`the status is ${given}, expected ${wanted.join(' or ')}`]
}

function headerMistakes({ headers = {} }: CaseExpectation, answer: CaseAnswer): readonly string[] {
  return Object.entries(headers).flatMap(([name, pattern]) => {
    const values = answer.headers
      .filter(([given]) => given.toLowerCase() === name.toLowerCase())
      .map(([, value]) => value)
    if (values.some((value) => fitsGlob(pattern, value))) return []
    return [
      `the header ${name} is ${values.length === 0 ? 'missing' : JSON.stringify(values.join(', '))}, expected ${JSON.stringify(pattern)}`,
    ]
  })
}

function bodyMistakes({ body = {} }: CaseExpectation, { text }: CaseAnswer): readonly string[] {
  const { contains = [], json = {} } = body
  const document = readExactJson(Buffer.from(text))
  return [
    ...contains.flatMap((part) => (text.includes(part) ? [] : [`the body does not contain ${JSON.stringify(part)}`])),
    ...Object.entries(json).flatMap(([path, condition]) => {
      const parsed = parseRedactionPath(path)
      const values = document === undefined || 'mistake' in parsed ? [] : valuesAt(document, parsed.steps)
      if (jsonHolds(condition, values)) return []
      const found = values.length === 0 ? 'missing' : values.map(exactText).join(', ').slice(0, 200)
      return [`the body's ${path} is ${found}, expected ${JSON.stringify(condition)}`]
    }),
  ]
}

/** Undefined if the rows are as expected. One row of one column is its value, several rows are a list. */
export function judgeRows(
  { sql, equals }: RowExpectation,
  rows: readonly Readonly<Record<string, unknown>>[],
): string | undefined {
  const found = plain(valueOf(rows))
  if (isDeepStrictEqual(found, plain(equals)) || isSameScalar(found, equals)) return undefined
  return `${sql.trim().replaceAll(/\s+/g, ' ')} answers ${JSON.stringify(found)}, expected ${JSON.stringify(equals)}`
}

/** A count may come as a text. */
function isSameScalar(one: unknown, other: unknown): boolean {
  const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
  return isScalar(one) && isScalar(other) && String(one) === String(other)
}

function valueOf(rows: readonly Readonly<Record<string, unknown>>[]): unknown {
  const [row] = rows
  if (rows.length !== 1 || row === undefined) return rows
  const cells = Object.values(row)
  return cells.length === 1 ? cells[0] : row
}

/** As JSON has it: drivers answer counts as texts and times as dates. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (_name, member: unknown) => (typeof member === 'bigint' ? String(member) : member)),
  )
}
