import { OncehookError } from '../errors.ts'

/** What one value may have as JSON. */
const mostValueBytes = 65_536

const mostKeyBytes = 512
const mostDepth = 100
const mostTtlSeconds = 100 * 366 * 86_400
const namespacePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/

export function checkedNamespace(namespace: unknown): string {
  if (typeof namespace === 'string' && namespacePattern.test(namespace)) return namespace
  throw invalidInput(
    'the namespace must be 1 to 100 letters, digits and . _ : - beginning with a letter or a digit; it is not.',
  )
}

export function checkedKey(key: unknown): string {
  if (isStorable(key) && key !== '') return key
  throw invalidInput(`the key must be a text of 1 to ${mostKeyBytes} bytes without \\u0000 and lone surrogates.`)
}

/** A key's beginning, which may be empty. */
export function checkedPrefix(prefix: unknown): string {
  if (isStorable(prefix)) return prefix
  throw invalidInput(`a prefix must be a text of up to ${mostKeyBytes} bytes without \\u0000 and lone surrogates.`)
}

/** The value as JSON. It is kept as text, so \u0000 and lone surrogates in it come back as they went in. */
export function checkedValue(value: unknown): string {
  const text = asJson(value)
  const bytes = Buffer.byteLength(text)
  if (bytes > mostValueBytes) {
    throw invalidInput(
      `the value has ${bytes} bytes as JSON, and may have ${mostValueBytes}. Keep it elsewhere, and its address here.`,
    )
  }
  if (depthOf(text) > mostDepth) throw tooDeep()
  return text
}

export function checkedTtl(ttlSeconds: unknown): number | undefined {
  if (ttlSeconds === undefined) return undefined
  if (typeof ttlSeconds === 'number' && ttlSeconds > 0 && ttlSeconds <= mostTtlSeconds) return ttlSeconds
  throw invalidInput(
    `ttlSeconds must be a number above 0 and at most ${mostTtlSeconds}; leave it out for a value that stays.`,
  )
}

export function checkedVersion(version: unknown): number {
  if (typeof version === 'number' && Number.isSafeInteger(version) && version >= 0) return version
  throw invalidInput('a version must be a whole number, as it came with the value.')
}

export function checkedAmount(amount: unknown): number {
  if (typeof amount === 'number' && Number.isFinite(amount)) return amount
  throw invalidInput('what is added, and the sum, must be numbers that JSON can say.')
}

export function checkedLimit(limit: unknown = 50): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit
  throw invalidInput('limit must be a whole number from 1 to 200.')
}

/** Only numbers can be added to. */
export function notANumber(namespace: string, key: string): OncehookError {
  return invalidInput(`${JSON.stringify(key)} in ${namespace} holds something that is no number, so nothing was added.`)
}

function isStorable(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    !text.includes('\u0000') &&
    text.isWellFormed() &&
    Buffer.byteLength(text) <= mostKeyBytes
  )
}

function asJson(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value, (_, member: unknown) => {
      if (typeof member === 'number' && !Number.isFinite(member)) throw new TypeError(`JSON has no ${member}`)
      return member
    })
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep()
    throw invalidInput(`the value cannot be written as JSON (${error instanceof Error ? error.message : 'unknown'}).`)
  }
  if (text === undefined) throw invalidInput('the value cannot be written as JSON: it is undefined or a function.')
  return text
}

function tooDeep(): OncehookError {
  return invalidInput(`the value is nested deeper than ${mostDepth} levels.`)
}

/** Without recursion, which is what deep values are made to exhaust. */
function depthOf(json: string): number {
  let depth = 0
  let deepest = 0
  let isInText = false
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index]
    if (isInText) {
      if (character === '\\') index += 1
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '{' || character === '[') deepest = Math.max(deepest, (depth += 1))
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}

function invalidInput(mistake: string): OncehookError {
  return new OncehookError('ONCEHOOK_INVALID_VALUE', `The datastore did not take it: ${mistake}`)
}
