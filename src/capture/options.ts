import { type AllowedPrivate, isSubnet } from '../targets/http-address.ts'
import { checkRules } from './check-rules.ts'
import type { CaptureRule } from './rule.ts'

/** How requests are captured, kept and sent again: the setting `captures` of the gateway. */
export type CaptureOptions = {
  /** Endpoints that are there from the start, by name. What stands here wins over what was changed by hand since. */
  readonly endpoints?: Readonly<Record<string, EndpointOptions>>
  /** Whether the first request to an unknown name makes the endpoint. Default false. */
  readonly createOnUse?: boolean
  /** Larger bodies are answered with 413, and only noted. Default 1 MB, at most 16 MB. */
  readonly maximumBodyBytes?: number
  /** How many requests each endpoint keeps; the oldest go first. Default 1000. */
  readonly keepRequests?: number
  /** How many bytes each endpoint keeps. Default 64 MB. */
  readonly keepBytes?: number
  /** How long they are kept. Default 7. */
  readonly keepDays?: number
  /** How many endpoints there may be. Default 100. */
  readonly mostEndpoints?: number
  /** Where captures and receipts may be sent again. */
  readonly replay?: ReplayOptions
}

/** What an endpoint is told beforehand. */
export type EndpointOptions = {
  /** What it is for. */
  readonly note?: string
  /** Without it the endpoint keeps those that were given by hand. */
  readonly rules?: readonly CaptureRule[]
}

/** Besides the gateway's own sources and public addresses by https. */
export type ReplayOptions = {
  /** Private addresses that may be reached, by http too: all, or these (`127.0.0.1`, `10.1.0.0/16`). Default none. */
  readonly allowPrivateAddresses?: AllowedPrivate
  /** Public addresses by http, where anybody on the way can read along. Default false. */
  readonly allowInsecure?: boolean
  /** How long one answer may take. Default 30. */
  readonly timeoutSeconds?: number
}

/** With every default in place. */
export type CaptureSettings = Required<Omit<CaptureOptions, 'replay'>> & { readonly replay: Required<ReplayOptions> }

const megabyte = 1_048_576

export function captureSettings(options: CaptureOptions): CaptureSettings {
  const { replay = {}, ...rest } = options
  return {
    endpoints: {},
    createOnUse: false,
    maximumBodyBytes: megabyte,
    keepRequests: 1000,
    keepBytes: 64 * megabyte,
    keepDays: 7,
    mostEndpoints: 100,
    ...rest,
    replay: { allowPrivateAddresses: false, allowInsecure: false, timeoutSeconds: 30, ...replay },
  }
}

/** What the name of an endpoint may be: it stands in addresses. */
const endpointName = /^[a-z0-9][a-z0-9_-]{0,62}$/

export function isEndpointName(name: unknown): name is string {
  return typeof name === 'string' && endpointName.test(name)
}

export const endpointNameAdvice = 'use 1 to 63 small letters, digits, "-" and "_", with a letter or digit first'

type Limit = { readonly least: number; readonly most: number; readonly isWhole: boolean }

const limits: Readonly<Record<string, Limit>> = {
  maximumBodyBytes: { least: 1, most: 16 * megabyte, isWhole: true },
  keepRequests: { least: 1, most: 100_000, isWhole: true },
  keepBytes: { least: megabyte, most: 16_384 * megabyte, isWhole: true },
  keepDays: { least: 0, most: 3650, isWhole: false },
  mostEndpoints: { least: 1, most: 10_000, isWhole: true },
}

const known = [...Object.keys(limits), 'endpoints', 'createOnUse', 'replay']

/** Every mistake in the setting, with its path. */
export function captureMistakes(given: unknown, at = 'captures'): readonly string[] {
  if (!isObject(given)) return [`${at} is not an object: give { endpoints } or {}.`]
  const mistakes = unknownNames(given, known, at)
  for (const [name, limit] of Object.entries(limits))
    mistakes.push(...numberMistakes(`${at}.${name}`, given[name], limit))
  if (given['createOnUse'] !== undefined && typeof given['createOnUse'] !== 'boolean')
    mistakes.push(`${at}.createOnUse is not true or false.`)
  const { maximumBodyBytes = megabyte, keepBytes = 64 * megabyte } = given as CaptureOptions
  if (maximumBodyBytes + megabyte > keepBytes)
    mistakes.push(`${at}.keepBytes has to be at least 1 MB more than maximumBodyBytes, or a request could not be kept.`)
  return [
    ...mistakes,
    ...endpointMistakes(given['endpoints'], `${at}.endpoints`),
    ...replayMistakes(given['replay'], `${at}.replay`),
  ]
}

function endpointMistakes(given: unknown, at: string): readonly string[] {
  if (given === undefined) return []
  if (!isObject(given)) return [`${at} is not an object of endpoints by name.`]
  return Object.entries(given).flatMap(([name, endpoint]) => {
    const path = `${at}.${name}`
    if (!isEndpointName(name)) return [`${path} is not a name: ${endpointNameAdvice}.`]
    if (!isObject(endpoint)) return [`${path} is not an object: give {} or { rules }.`]
    const { note, rules } = endpoint
    const noteMistakes =
      note === undefined || (typeof note === 'string' && note.length <= 500)
        ? []
        : [`${path}.note is not a text of up to 500 characters.`]
    const ruleMistakes = rules === undefined ? [] : checkRules(rules, `${path}.rules`).mistakes
    return [
      ...unknownNames(endpoint, ['note', 'rules'], path),
      ...noteMistakes,
      ...ruleMistakes.map(({ path: place, message }) => `${place} ${message}`),
    ]
  })
}

function replayMistakes(given: unknown, at: string): readonly string[] {
  if (given === undefined) return []
  if (!isObject(given)) return [`${at} is not an object: give { allowPrivateAddresses }.`]
  const { allowPrivateAddresses: allowed, allowInsecure, timeoutSeconds } = given
  const mistakes = unknownNames(given, ['allowPrivateAddresses', 'allowInsecure', 'timeoutSeconds'], at)
  const areSubnets = Array.isArray(allowed) && allowed.every(isSubnet)
  if (allowed !== undefined && typeof allowed !== 'boolean' && !areSubnets)
    mistakes.push(`${at}.allowPrivateAddresses is not true, false or a list such as ["127.0.0.1", "10.1.0.0/16"].`)
  if (allowInsecure !== undefined && typeof allowInsecure !== 'boolean')
    mistakes.push(`${at}.allowInsecure is not true or false.`)
  return [
    ...mistakes,
    ...numberMistakes(`${at}.timeoutSeconds`, timeoutSeconds, { least: 1, most: 120, isWhole: false }),
  ]
}

function numberMistakes(path: string, value: unknown, { least, most, isWhole }: Limit): readonly string[] {
  if (value === undefined) return []
  const isRight = typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value))
  return isRight
    ? []
    : [`${path} is ${JSON.stringify(value)}: give a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`]
}

function unknownNames(given: object, names: readonly string[], at: string): string[] {
  return Object.keys(given).flatMap((name) =>
    names.includes(name) ? [] : [`${at}.${name} is no setting; there are: ${names.join(', ')}.`],
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
