import { parseRedactionPath } from '../../privacy/redaction-path.ts'
import type { JsonCondition } from '../rule.ts'

/** A request that is sent again and again, and what has to come of it: a file that people read, and that a build runs. */
export type CaseFile = {
  readonly format: 'oncehook-case/1'
  readonly name: string
  readonly description?: string
  /** The source it goes to, whose secret signs it. */
  readonly source?: string
  /** Whose signature it gets, where no source says so. Without both it is sent as it is. */
  readonly provider?: string
  readonly request: CaseRequest
  readonly send?: { readonly times?: number; readonly isParallel?: boolean }
  readonly expect: CaseExpectation
  /** What is not as it was captured, by place. */
  readonly redacted?: readonly string[]
}

/** `{{unique}}` in a text of it is replaced by something new in each run. One of `json`, `text` and `base64` is the body. */
export type CaseRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  readonly base64?: string
}

/** All of it has to hold, of every answer. */
export type CaseExpectation = {
  /** A status, several of which one is right, or a class as `2xx`. */
  readonly status?: number | string | readonly (number | string)[]
  /** By name; `*` stands for anything. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: {
    readonly contains?: readonly string[]
    /** By path, as in rules of captures. */
    readonly json?: Readonly<Record<string, JsonCondition>>
  }
  readonly rows?: readonly RowExpectation[]
}

/** What a question to the database has to be answered with, soon after the answers came. */
export type RowExpectation = {
  /** One value or row; `:event` is the event's id. */
  readonly sql: string
  readonly equals: unknown
  /** Handlers of a queue need a moment. Default 10. */
  readonly withinSeconds?: number
}

const mostCaseTimes = 100

/** The case, or every mistake in it by its path. */
export function readCase(given: unknown): CaseFile | { readonly mistakes: readonly string[] } {
  const mistakes: string[] = []
  const demand = (isRight: boolean, mistake: string): void => void (isRight || mistakes.push(mistake))
  if (!isObject(given)) return { mistakes: ['it is not a JSON object.'] }
  demandKnown(given, '', [
    'format',
    'name',
    'description',
    'source',
    'provider',
    'request',
    'send',
    'expect',
    'redacted',
  ])
  demand(given['format'] === 'oncehook-case/1', 'format is not "oncehook-case/1".')
  for (const name of ['description', 'source', 'provider'])
    demand(given[name] === undefined || typeof given[name] === 'string', `${name} is not a text.`)
  demand(isCaseName(given['name']), `name is not a name: ${caseNameAdvice}.`)
  checkRequest(given['request'])
  checkSend(given['send'])
  checkExpect(given['expect'])
  return mistakes.length > 0 ? { mistakes } : (given as unknown as CaseFile)

  function checkRequest(request: unknown): void {
    if (!isObject(request)) return void mistakes.push('request is missing: give { method, headers, json }.')
    demandKnown(request, 'request.', ['method', 'headers', 'json', 'text', 'base64'])
    demand(
      typeof request['method'] === 'string' && /^[A-Za-z-]{1,20}$/.test(request['method']),
      'request.method is not a method.',
    )
    demand(isTexts(request['headers']), 'request.headers is not an object of texts.')
    const bodies = ['json', 'text', 'base64'].filter((name) => request[name] !== undefined)
    demand(bodies.length <= 1, `request has ${bodies.join(' and ')}: give one of them.`)
    for (const name of ['text', 'base64'])
      demand(request[name] === undefined || typeof request[name] === 'string', `request.${name} is not a text.`)
  }

  function checkSend(send: unknown): void {
    if (send === undefined) return
    if (!isObject(send)) return void mistakes.push('send is not an object: give { times, isParallel }.')
    demandKnown(send, 'send.', ['times', 'isParallel'])
    const { times = 1, isParallel = false } = send
    demand(
      Number.isInteger(times) && (times as number) >= 1 && (times as number) <= mostCaseTimes,
      `send.times is not a whole number from 1 to ${mostCaseTimes}.`,
    )
    demand(typeof isParallel === 'boolean', 'send.isParallel is not true or false.')
  }

  function checkExpect(expect: unknown): void {
    if (!isObject(expect)) return void mistakes.push('expect is missing: give { status, body, rows }.')
    demandKnown(expect, 'expect.', ['status', 'headers', 'body', 'rows'])
    const { status, headers, body, rows } = expect
    const statuses: readonly unknown[] = status === undefined ? [] : Array.isArray(status) ? status : [status]
    demand(
      statuses.every((one) => Number.isInteger(one) || (typeof one === 'string' && /^[1-5]xx$/.test(one))),
      'expect.status is not a status, a class as "2xx", or a list of them.',
    )
    demand(headers === undefined || isTexts(headers), 'expect.headers is not an object of texts.')
    if (body !== undefined) checkBody(body)
    if (rows !== undefined && !Array.isArray(rows)) mistakes.push('expect.rows is not a list.')
    for (const [index, row] of (Array.isArray(rows) ? rows : []).entries()) checkRow(row, `expect.rows[${index}]`)
  }

  function checkBody(body: unknown): void {
    if (!isObject(body)) return void mistakes.push('expect.body is not an object: give { contains, json }.')
    demandKnown(body, 'expect.body.', ['contains', 'json'])
    const { contains, json } = body
    const areTexts = Array.isArray(contains) && contains.every((one) => typeof one === 'string')
    demand(contains === undefined || areTexts, 'expect.body.contains is not a list of texts.')
    demand(json === undefined || isObject(json), 'expect.body.json is not an object of values by path.')
    for (const path of Object.keys(isObject(json) ? json : {})) {
      const parsed = parseRedactionPath(path)
      demand(!('mistake' in parsed), `expect.body.json: ${'mistake' in parsed ? parsed.mistake : ''}`)
    }
  }

  function checkRow(row: unknown, path: string): void {
    if (!isObject(row)) return void mistakes.push(`${path} is not an object: give { sql, equals }.`)
    demandKnown(row, `${path}.`, ['sql', 'equals', 'withinSeconds'])
    demand(typeof row['sql'] === 'string' && row['sql'].trim() !== '', `${path}.sql is not a statement.`)
    demand('equals' in row, `${path}.equals is missing: give the value that the statement has to answer with.`)
    const { withinSeconds = 10 } = row
    demand(
      typeof withinSeconds === 'number' && withinSeconds >= 0 && withinSeconds <= 600,
      `${path}.withinSeconds is not a number from 0 to 600.`,
    )
  }

  function demandKnown(object: object, at: string, known: readonly string[]): void {
    for (const name of Object.keys(object))
      if (!known.includes(name)) mistakes.push(`${at}${name} is not known; there are: ${known.join(', ')}.`)
  }
}

export const caseNameAdvice = 'use 1 to 80 small letters, digits, "-" and "_", with a letter or digit first'

/** It is the name of a file too. */
export function isCaseName(name: unknown): name is string {
  return typeof name === 'string' && /^[a-z0-9][a-z0-9_-]{0,79}$/.test(name)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string')
}
