import type { Rule, TextCondition } from '../api/tool-types.ts'

/** A rule as a form: every member a text that people write. Conditions and headers are lines, `name: value`. */
export type RuleForm = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: string
  readonly query: string
  readonly json: string
  readonly probability: string
  readonly first: string
  readonly after: string
  readonly reaction: 'answer' | 'hang' | 'drop'
  readonly status: string
  readonly delaySeconds: string
  readonly answerHeaders: string
  readonly body: string
  readonly isJson: boolean
}

export const emptyRule: RuleForm = {
  name: '',
  method: '',
  path: '',
  headers: '',
  query: '',
  json: '',
  probability: '',
  first: '',
  after: '',
  reaction: 'answer',
  status: '200',
  delaySeconds: '',
  answerHeaders: '',
  body: '',
  isJson: false,
}

export function formOfRule({ name = '', when = {}, answer }: Rule): RuleForm {
  const { method = '', path = '', headers = {}, query = {}, json = {} } = when
  return {
    name,
    method: typeof method === 'string' ? method : method.join(', '),
    path,
    headers: linesOf(headers, conditionText),
    query: linesOf(query, conditionText),
    json: linesOf(json, jsonText),
    probability: numberText(when.probability),
    first: numberText(when.first),
    after: numberText(when.after),
    reaction: answer.hang === true ? 'hang' : answer.drop === true ? 'drop' : 'answer',
    status: numberText(answer.status),
    delaySeconds: numberText(answer.delaySeconds),
    answerHeaders: linesOf(answer.headers ?? {}, (value) => value),
    body: answer.json === undefined ? (answer.body ?? '') : JSON.stringify(answer.json, undefined, 2),
    isJson: answer.json !== undefined,
  }
}

/** What a form comes to. What is no number is left as it is, so that the server names the mistake. */
export function ruleOfForm(form: RuleForm): Rule {
  const methods = form.method.split(/[\s,]+/).filter((method) => method !== '')
  const when = withoutEmpty({
    method: methods.length > 1 ? methods : methods[0],
    path: form.path.trim(),
    headers: readLines(form.headers, readCondition),
    query: readLines(form.query, readCondition),
    json: readLines(form.json, readJson),
    probability: readNumber(form.probability),
    first: readNumber(form.first),
    after: readNumber(form.after),
  })
  const content = form.isJson ? { json: readDocument(form.body) } : withoutEmpty({ body: form.body })
  const sent = {
    ...withoutEmpty({ status: readNumber(form.status), headers: readLines(form.answerHeaders, (value) => value) }),
    ...content,
  }
  const answer = {
    ...withoutEmpty({ delaySeconds: readNumber(form.delaySeconds) }),
    ...(form.reaction === 'hang' ? { hang: true } : form.reaction === 'drop' ? { drop: true } : sent),
  }
  return { ...withoutEmpty({ name: form.name.trim(), when }), answer }
}

/** In one line, for the list. */
export function describeRule({ when = {}, answer }: Rule): string {
  const method = typeof when.method === 'string' ? when.method : (when.method ?? []).join(', ')
  const conditions = [
    method,
    when.path ?? '',
    ...Object.entries({ ...when.headers, ...when.query, ...when.json }).map(
      ([name, value]) => `${name} = ${jsonText(value)}`,
    ),
    when.first === undefined ? '' : `the first ${when.first}`,
    when.after === undefined ? '' : `after ${when.after}`,
    when.probability === undefined ? '' : `${Math.round(when.probability * 100)} %`,
  ].filter((text) => text !== '')
  const delay = answer.delaySeconds === undefined ? '' : ` after ${answer.delaySeconds} s`
  const reaction =
    answer.hang === true ? 'hang' : answer.drop === true ? 'drop the connection' : `answer ${answer.status ?? 200}`
  return `${conditions.length === 0 ? 'every request' : conditions.join(', ')} → ${reaction}${delay}`
}

function linesOf<Value>(record: Readonly<Record<string, Value>>, text: (value: Value) => string): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}: ${text(value)}`)
    .join('\n')
}

function readLines<Value>(text: string, read: (value: string) => Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name = '', value = ''] = /^\s*(.*?)\s*:\s*(.*?)\s*$/.exec(line) ?? [undefined, line.trim(), '(exists)']
      return name === '' ? [] : [[name, read(value)] as const]
    }),
  )
}

function conditionText(condition: TextCondition): string {
  return typeof condition === 'string' ? condition : condition.exists ? '(exists)' : '(absent)'
}

function readCondition(text: string): TextCondition {
  if (text === '(exists)') return { exists: true }
  return text === '(absent)' ? { exists: false } : text
}

/** A text that would be read as something else gets its quotes. */
function jsonText(condition: TextCondition | number | boolean | null): string {
  if (typeof condition === 'object' && condition !== null) return conditionText(condition)
  if (typeof condition !== 'string') return String(condition)
  return readJson(condition) === condition ? condition : JSON.stringify(condition)
}

function readJson(text: string): TextCondition | number | boolean | null {
  const condition = readCondition(text)
  if (typeof condition !== 'string' || !/^(?:true|false|null|-?\d+(?:\.\d+)?|".*")$/.test(condition)) return condition
  try {
    return JSON.parse(condition) as string | number | boolean | null
  } catch {
    return condition
  }
}

function readDocument(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function numberText(number: number | undefined): string {
  return number === undefined ? '' : String(number)
}

function readNumber(text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed)
}

function withoutEmpty(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}
