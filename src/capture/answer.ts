import type { CaptureAnswer, HeaderPair } from '../store/capture-store.ts'
import type { CaptureRequest } from './request.ts'
import type { CheckedRule } from './rule.ts'
import { fillIn } from './template.ts'

type Moment = { readonly request: CaptureRequest; readonly id: string }

/**
 * On every answer: what a sender or a rule puts there is shown to nobody as a page of this server, whose dashboard may have the same
 * address.
 */
const safety: readonly HeaderPair[] = [
  ['content-security-policy', 'sandbox'],
  ['x-content-type-options', 'nosniff'],
]

/** What a request gets for which no rule is. */
export function defaultAnswer({ id }: Pick<Moment, 'id'>): CaptureAnswer {
  return answerWith({ status: 200, document: { verdict: 'captured', capture: id } })
}

/** An answer of the endpoint's own, that no rule decides about. */
export function answerWith({
  status,
  document,
  headers = [],
}: {
  readonly status: number
  readonly document: unknown
  readonly headers?: readonly HeaderPair[]
}): CaptureAnswer {
  return {
    kind: 'sent',
    status,
    headers: [['content-type', 'application/json'], ...safety, ...headers],
    body: Buffer.from(JSON.stringify(document)),
    delaySeconds: 0,
    origin: 'default',
    rule: undefined,
  }
}

/** What a rule says to this request. */
export function ruleAnswer({ name, answer }: CheckedRule, moment: Moment): CaptureAnswer {
  const { status = 200, headers = {}, body = '', json, delaySeconds = 0 } = answer
  const silent = answer.hang === true ? 'hang' : answer.drop === true ? 'drop' : undefined
  if (silent !== undefined)
    return {
      kind: silent,
      status: undefined,
      headers: [],
      body: Buffer.alloc(0),
      delaySeconds,
      origin: 'rule',
      rule: name,
    }
  const filled: HeaderPair[] = Object.entries(headers).map(([header, value]) => [
    header,
    fillIn(value, moment, headerText),
  ])
  const given = filled.find(([header]) => header.toLowerCase() === 'content-type')?.[1]
  const type = given ?? (json === undefined ? 'text/plain; charset=utf-8' : 'application/json')
  const isJson = json !== undefined || /[/+]json\b/i.test(type)
  const text = fillIn(
    json === undefined ? body : JSON.stringify(json),
    moment,
    isJson ? insideQuotes : (value) => value,
  )
  const typed: readonly HeaderPair[] = given === undefined && text !== '' ? [['content-type', type]] : []
  return {
    kind: 'sent',
    status,
    headers: [...filled, ...typed, ...safety],
    body: Buffer.from(text),
    delaySeconds,
    origin: 'rule',
    rule: name,
  }
}

/** As it can stand in a string of JSON, so that no sender can end it. */
function insideQuotes(value: string): string {
  return JSON.stringify(value.toWellFormed()).slice(1, -1)
}

/** What a header can hold. */
function headerText(value: string): string {
  return value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
}

/** What an automation wants to say. */
export type AutomationAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Its name. */
  readonly automation: string
}

export function automationAnswer({ status, headers, body, automation }: AutomationAnswer): CaptureAnswer {
  return {
    kind: 'sent',
    status,
    headers: [...Object.entries(headers), ...safety],
    body: Buffer.from(body),
    delaySeconds: 0,
    origin: 'automation',
    rule: automation,
  }
}
