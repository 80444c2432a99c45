import { type PathStep, parseRedactionPath } from '../../privacy/redaction-path.ts'
import type { ExactJson } from '../exact-json.ts'

export type MaskOptions = {
  /** Paths of values that are kept although they look private. */
  readonly keep?: readonly string[] | undefined
  /** Paths of values that are masked although they do not. */
  readonly mask?: readonly string[] | undefined
}

/** Masks what looks private, the same value always in the same way, so that what belongs together still does. */
export type Masker = {
  readonly document: (document: ExactJson) => ExactJson
  /** A text that is no document: what looks private in it. */
  readonly text: (text: string, place: string) => string
  /** The value of a header, or of a field of a form, by its name. */
  readonly field: (name: string, value: string, place: string) => string
  /** Where something was masked. */
  readonly masked: ReadonlySet<string>
}

/** Names whose values are nobody's business. Ids and types never are: the case would be another one. */
const privateName =
  /(?:^|[_-])(?:pass|passwd|password|secret|token|api_?key|apikey|authorization|auth|cookie|session|signature|hmac|cvc|cvv|ssn|iban|phone|address|street|first_?name|last_?name|full_?name|birth|dob|fingerprint|ip)(?:$|[_-])/i

const email = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const cardNumber = /\b\d(?:[ -]?\d){12,18}\b/g
/** Keys of well-known services, and signed tokens. */
const knownToken =
  /\b(?:(?:sk|rk|pk|whsec|ghp|gho|ghs|glpat|xox[abprs]|shpat|shpss|npm|key|SG)[-_.][\w.-]{10,}|eyJ[\w-]+\.[\w-]+\.[\w-]*)/g

export function createMasker({ keep = [], mask = [] }: MaskOptions = {}): Masker {
  const kept = keep.flatMap(stepsOf)
  const wanted = mask.flatMap(stepsOf)
  const masked = new Set<string>()
  const known = new Map<string, string>()

  return {
    document: (document) => visit(document, []),
    text: (text, place) => noted(text, maskText(text), place),
    field: (name, value, place) => noted(value, isPrivate(name) ? numbered('masked', value) : maskText(value), place),
    masked,
  }

  function visit(value: ExactJson, path: readonly (string | number)[]): ExactJson {
    if (kept.some((steps) => leadsTo(steps, path))) return value
    switch (value.kind) {
      case 'object':
        return {
          kind: 'object',
          members: new Map([...value.members].map(([name, member]) => [name, visit(member, [...path, name])])),
        }
      case 'list':
        return { kind: 'list', items: value.items.map((item, index) => visit(item, [...path, index])) }
      case 'text':
      case 'number':
        return maskScalar(value, path)
      case 'null':
      case 'boolean':
        return value
    }
  }

  function maskScalar(
    value: Extract<ExactJson, { kind: 'text' | 'number' }>,
    path: readonly (string | number)[],
  ): ExactJson {
    const place = placeText(path)
    const text = value.kind === 'text' ? value.value : value.text
    const name = path.findLast((step) => typeof step === 'string') ?? ''
    const isWanted = wanted.some((steps) => leadsTo(steps, path)) || isPrivate(name)
    if (value.kind === 'number') {
      if (!isWanted) return value
      masked.add(place)
      return { kind: 'number', text: '0' }
    }
    const shown = isWanted && !isEmail(text) ? (text === '' ? text : numbered('masked', text)) : maskText(text)
    return { kind: 'text', value: noted(text, shown, place) }
  }

  function maskText(text: string): string {
    return text
      .replaceAll(email, (found) => numbered('person', found, '@example.com'))
      .replaceAll(knownToken, (found) => numbered('masked', found))
      .replaceAll(cardNumber, (found) => (isCardNumber(found) ? '4242424242424242' : found))
  }

  function numbered(word: string, value: string, end = ''): string {
    const key = `${word} ${value.toLowerCase()}`
    const before = known.get(key)
    if (before !== undefined) return before
    const count = [...known.keys()].filter((one) => one.startsWith(`${word} `)).length
    const made = `${word}${word === 'masked' ? '-' : ''}${count + 1}${end}`
    known.set(key, made)
    return made
  }

  function noted(before: string, after: string, place: string): string {
    if (before !== after) masked.add(place)
    return after
  }
}

function isPrivate(name: string): boolean {
  // As words, however they are written: clientSecret, client_secret, client-secret.
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
  return privateName.test(words) && !/idempotency/i.test(words)
}

function isEmail(text: string): boolean {
  return new RegExp(`^${email.source}$`).test(text)
}

/** By the check digit: most long numbers are ids. */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  let sum = 0
  for (const [index, digit] of Array.from(digits).toReversed().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0 && /^[3-6]/.test(digits)
}

function stepsOf(path: string): readonly (readonly PathStep[])[] {
  const parsed = parseRedactionPath(path)
  return 'mistake' in parsed ? [] : [parsed.steps]
}

/** Whether a path names just this place. */
function leadsTo(steps: readonly PathStep[], path: readonly (string | number)[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return path.length === 0
  const [key, ...below] = path
  if (key === undefined) return false
  const fits = step.kind === 'any' || (step.kind === 'name' ? step.name === key : step.index === key)
  return (fits && leadsTo(rest, below)) || (step.isAnywhere && leadsTo(steps, below))
}

function placeText(path: readonly (string | number)[]): string {
  return `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`
}
