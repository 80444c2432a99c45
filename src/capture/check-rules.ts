import { validateHeaderName, validateHeaderValue } from 'node:http'
import { parseRedactionPath } from '../privacy/redaction-path.ts'
import { type CheckedRule, longestDelaySeconds } from './rule.ts'
import { templateMistakes } from './template.ts'

/** What is wrong, and where: `rules[0].when.path`. */
export type RuleMistake = { readonly path: string; readonly message: string }

export type CheckedRules = { readonly rules: readonly CheckedRule[]; readonly mistakes: readonly RuleMistake[] }

const mostRules = 50
const mostEntries = 30
const longestBody = 65_536
const longestText = 500

/** Looks at everything at once, and names every mistake by its place. */
export function checkRules(given: unknown, at = 'rules'): CheckedRules {
  const mistakes: RuleMistake[] = []
  const note = (path: string, message: string): void => void mistakes.push({ path, message })
  if (!Array.isArray(given)) {
    note(at, 'is not a list of rules.')
    return { rules: [], mistakes }
  }
  if (given.length > mostRules) note(at, `has ${given.length} rules; ${mostRules} are the most.`)
  const names = new Set<string>()
  const rules = given.slice(0, mostRules).map((rule, index) => checkRule(rule, `${at}[${index}]`, index))
  return { rules: mistakes.length === 0 ? rules : [], mistakes }

  function checkRule(rule: unknown, path: string, index: number): CheckedRule {
    const name = `rule ${index + 1}`
    if (!isObject(rule)) {
      note(path, 'is not a rule: give { when, answer }.')
      return { name, answer: {} }
    }
    demandKnown(path, rule, ['name', 'when', 'answer'])
    const own = rule['name'] ?? name
    if (typeof own !== 'string' || !/^[^\p{Cc}]{1,60}$/u.test(own))
      note(`${path}.name`, 'is not a text of 1 to 60 characters.')
    else if (names.has(own)) note(`${path}.name`, `is ${JSON.stringify(own)}, as another one is called already.`)
    else names.add(own)
    if (rule['when'] !== undefined) checkConditions(rule['when'], `${path}.when`)
    checkAnswer(rule['answer'], `${path}.answer`)
    return { ...(rule as CheckedRule), name: typeof own === 'string' ? own : name }
  }

  function checkConditions(when: unknown, path: string): void {
    if (!isObject(when)) return note(path, 'is not an object of conditions.')
    demandKnown(path, when, ['method', 'path', 'headers', 'query', 'json', 'probability', 'first', 'after'])
    const { method, path: glob, headers, query, json, probability, first, after } = when
    if (method !== undefined) {
      const methods: readonly unknown[] = Array.isArray(method) ? method : [method]
      const areMethods =
        methods.length > 0 && methods.every((one) => typeof one === 'string' && /^[A-Za-z-]{1,20}$/.test(one))
      if (!areMethods) note(`${path}.method`, 'is not a method such as POST, nor a list of them.')
    }
    if (glob !== undefined) demandText(`${path}.path`, glob)
    if (typeof glob === 'string' && glob !== '' && !/^[/*]/.test(glob))
      note(`${path}.path`, `is ${JSON.stringify(glob)}: begin with a slash, as in "/orders/*", or with "*".`)
    checkEntries(headers, `${path}.headers`, { isValue: isTextCondition, nameMistake: headerNameMistake })
    checkEntries(query, `${path}.query`, { isValue: isTextCondition, nameMistake: () => undefined })
    checkEntries(json, `${path}.json`, { isValue: isJsonCondition, nameMistake: pathMistake })
    if (probability !== undefined && !(typeof probability === 'number' && probability >= 0 && probability <= 1))
      note(`${path}.probability`, 'is not a number from 0 to 1.')
    demandCount(`${path}.first`, first, 1)
    demandCount(`${path}.after`, after, 0)
    if (typeof first === 'number' && typeof after === 'number')
      note(`${path}.first`, 'and after are both given: give one of them, and a second rule for the rest.')
  }

  function checkEntries(
    entries: unknown,
    path: string,
    how: { readonly isValue: (value: unknown) => boolean; readonly nameMistake: (name: string) => string | undefined },
  ): void {
    if (entries === undefined) return
    if (!isObject(entries)) return note(path, 'is not an object of conditions by name.')
    if (Object.keys(entries).length > mostEntries) note(path, `has more than ${mostEntries} entries.`)
    for (const [name, value] of Object.entries(entries)) {
      const mistake = how.nameMistake(name)
      if (mistake !== undefined) note(`${path}[${JSON.stringify(name)}]`, mistake)
      if (!how.isValue(value))
        note(`${path}[${JSON.stringify(name)}]`, 'is not a text, nor { exists: true } or { exists: false }.')
    }
  }

  function checkAnswer(answer: unknown, path: string): void {
    if (!isObject(answer))
      return note(path, 'is missing: give { status, headers, body }, { hang: true } or { drop: true }.')
    demandKnown(path, answer, ['status', 'headers', 'body', 'json', 'delaySeconds', 'hang', 'drop'])
    const { status, body, json, delaySeconds, hang, drop } = answer
    if (status !== undefined && !(Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599))
      note(`${path}.status`, 'is not a whole number from 200 to 599.')
    const isDelay = typeof delaySeconds === 'number' && delaySeconds >= 0 && delaySeconds <= longestDelaySeconds
    if (delaySeconds !== undefined && !isDelay)
      note(`${path}.delaySeconds`, `is not a number from 0 to ${longestDelaySeconds}.`)
    for (const [name, value] of [
      ['hang', hang],
      ['drop', drop],
    ] as const)
      if (value !== undefined && value !== true) note(`${path}.${name}`, 'is not true: leave it out instead.')
    const isSilent = hang === true || drop === true
    const others = ['status', 'headers', 'body', 'json'].filter((name) => answer[name] !== undefined)
    if (isSilent && others.length > 0)
      note(path, `has ${others.join(', ')} besides ${hang === true ? 'hang' : 'drop'}, which sends nothing.`)
    if (hang === true && drop === true) note(path, 'has hang and drop: give one of them.')
    if (body !== undefined && json !== undefined) note(path, 'has body and json: give one of them.')
    if (body !== undefined && typeof body !== 'string')
      note(`${path}.body`, 'is not a text; for a document, give json.')
    const sent = typeof body === 'string' ? body : json === undefined ? '' : JSON.stringify(json)
    if (Buffer.byteLength(sent) > longestBody) note(`${path}.body`, `is longer than ${longestBody} bytes.`)
    for (const mistake of templateMistakes(sent)) note(`${path}.${json === undefined ? 'body' : 'json'}`, mistake)
    checkAnswerHeaders(answer['headers'], `${path}.headers`)
  }

  function checkAnswerHeaders(headers: unknown, path: string): void {
    if (headers === undefined) return
    if (!isObject(headers)) return note(path, 'is not an object of headers.')
    if (Object.keys(headers).length > mostEntries) note(path, `has more than ${mostEntries} entries.`)
    for (const [name, value] of Object.entries(headers)) {
      const place = `${path}[${JSON.stringify(name)}]`
      const mistake = headerNameMistake(name) ?? headerValueMistake(name, value)
      if (mistake !== undefined) note(place, mistake)
      else for (const text of templateMistakes(String(value))) note(place, text)
    }
  }

  function demandKnown(path: string, object: object, known: readonly string[]): void {
    for (const name of Object.keys(object))
      if (!known.includes(name)) note(`${path}.${name}`, `is not known; there are: ${known.join(', ')}.`)
  }

  function demandText(path: string, value: unknown): void {
    if (typeof value !== 'string' || value.length > longestText)
      note(path, `is not a text of up to ${longestText} characters.`)
  }

  function demandCount(path: string, value: unknown, least: number): void {
    if (value === undefined) return
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > 1_000_000_000)
      note(path, `is not a whole number from ${least} to 1000000000.`)
  }
}

/** The length and the way of the transfer are for the server to say. */
const setByServer = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'trailer'])

function headerNameMistake(name: string): string | undefined {
  try {
    validateHeaderName(name)
    return undefined
  } catch {
    return 'is not the name of a header.'
  }
}

function headerValueMistake(name: string, value: unknown): string | undefined {
  if (setByServer.has(name.toLowerCase())) return 'is set by the server itself.'
  try {
    validateHeaderValue(name, value as string)
    return typeof value === 'string' ? undefined : 'is not a text.'
  } catch {
    return 'is not the value of a header: does it hold a line break?'
  }
}

function pathMistake(name: string): string | undefined {
  const parsed = parseRedactionPath(name)
  return 'mistake' in parsed ? parsed.mistake : undefined
}

function isTextCondition(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= longestText
  return isObject(value) && Object.keys(value).length === 1 && typeof value['exists'] === 'boolean'
}

function isJsonCondition(value: unknown): boolean {
  return isTextCondition(value) || value === null || typeof value === 'boolean' || Number.isFinite(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
