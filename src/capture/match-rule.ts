import { parseRedactionPath } from '../privacy/redaction-path.ts'
import { type ExactJson, valuesAt } from './exact-json.ts'
import { fitsGlob } from './glob.ts'
import type { CaptureRequest } from './request.ts'
import type { CheckedRule, JsonCondition, RuleConditions, TextCondition } from './rule.ts'

/** A rule with how often it was counted. */
export type CountedRule = { readonly rule: CheckedRule; readonly counted: number }

export type Match = {
  /** Places of the rules that count this request. */
  readonly counted: readonly number[]
  /** The place of the rule that answers; undefined for the default answer. */
  readonly answeredBy: number | undefined
}

/**
 * The first rule whose conditions hold. A rule with a count is counted for each request for which all else of it holds, up to its limit:
 * after that nothing of it is written any more.
 */
export function matchRules(rules: readonly CountedRule[], request: CaptureRequest, random: () => number): Match {
  const counted: number[] = []
  for (const [place, { rule, counted: before }] of rules.entries()) {
    const { when = {} } = rule
    if (!holds(when, request) || (when.probability !== undefined && random() >= when.probability)) continue
    const limit = when.first ?? when.after
    if (limit === undefined) return { counted, answeredBy: place }
    const isWithin = before < limit
    if (isWithin) counted.push(place)
    if (isWithin === (when.first !== undefined)) return { counted, answeredBy: place }
  }
  return { counted, answeredBy: undefined }
}

function holds(when: RuleConditions, request: CaptureRequest): boolean {
  const { method, path, headers = {}, query = {}, json = {} } = when
  if (method !== undefined && ![method].flat().some((one) => one.toUpperCase() === request.method)) return false
  if (path !== undefined && !fitsGlob(path, request.path, 'path')) return false
  const parameters = new URLSearchParams(request.query)
  return (
    Object.entries(headers).every(([name, condition]) => textHolds(condition, headerValues(request, name))) &&
    Object.entries(query).every(([name, condition]) => textHolds(condition, parameters.getAll(name))) &&
    Object.entries(json).every(([name, condition]) => jsonHolds(condition, jsonValues(request, name)))
  )
}

function headerValues({ headers }: CaptureRequest, name: string): readonly string[] {
  const wanted = name.toLowerCase()
  return headers.flatMap(([given, value]) => (given.toLowerCase() === wanted ? [value] : []))
}

function textHolds(condition: TextCondition, values: readonly string[]): boolean {
  if (typeof condition === 'object') return values.length > 0 === condition.exists
  return values.some((value) => fitsGlob(condition, value))
}

function jsonValues(request: CaptureRequest, path: string): readonly ExactJson[] {
  const document = request.document()
  const parsed = parseRedactionPath(path)
  return document === undefined || 'mistake' in parsed ? [] : valuesAt(document, parsed.steps)
}

/** Whether one of the values is as wished. */
export function jsonHolds(condition: JsonCondition, values: readonly ExactJson[]): boolean {
  if (typeof condition === 'object' && condition !== null) return values.length > 0 === condition.exists
  return values.some((value) => valueHolds(condition, value))
}

/** A text also fits the digits of a number: ids beyond 2^53 cannot be given as one. */
function valueHolds(condition: Exclude<JsonCondition, object>, value: ExactJson): boolean {
  switch (value.kind) {
    case 'null':
      return condition === null
    case 'boolean':
      return condition === value.value
    case 'number':
      return typeof condition === 'string' ? fitsGlob(condition, value.text) : condition === Number(value.text)
    case 'text':
      return typeof condition === 'string' && fitsGlob(condition, value.value)
    case 'list':
    case 'object':
      return false
  }
}
