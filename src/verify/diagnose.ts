import { createSecretKey, type KeyObject } from 'node:crypto'
import { type Delivery, firstHeader } from '../delivery/delivery.ts'
import { decodeStrictly } from './bytes.ts'
import { decodeUtf8, parseJson } from './json.ts'
import { isObject } from './object.ts'
import type { Instead, Proof, Scheme } from './scheme.ts'

/** A proof that did not match, and what it was checked with. */
export type FailedProof = {
  readonly scheme: Scheme
  readonly proof: Proof
  readonly delivery: Delivery
  readonly keys: readonly KeyObject[]
}

/** Larger bodies are not examined: anybody can send one, and each guess hashes it again. */
const largestExaminedBody = 256 * 1024

/** A guess: what is tried instead, and what it means if that would have matched. */
type Guess = { readonly hint: string; readonly instead?: Instead; readonly key?: KeyObject }

/**
 * The likely cause of a mismatch in the receiver's own set-up, or undefined. It accepts nothing, quotes nothing secret,
 * never throws, and tries about a dozen guesses with the first key only.
 */
export function diagnose(failed: FailedProof): string | undefined {
  try {
    return hintWithoutTrying(failed) ?? hintByTrying(failed) ?? hintFromMode(failed.delivery)
  } catch {
    return undefined
  }
}

/** How far a signed timestamp is off, and what that means. */
export function describeSkew(
  ageSeconds: number,
  toleranceSeconds: number,
  isSignatureRight: boolean,
): string | undefined {
  if (!isSignatureRight) return undefined
  const distance = `${Math.abs(Math.round(ageSeconds))} s`
  return ageSeconds > 0
    ? `The signature is right, but it was made ${distance} ago by this machine's clock (at most ${toleranceSeconds} s are allowed): ` +
        'an old delivery was sent again or held up, or the clock of this machine is ahead.'
    : `The signature is right, but it was made ${distance} in the future by this machine's clock (at most ${toleranceSeconds} s are allowed): ` +
        'the clock of this machine is behind.'
}

/** Keys for other purposes that are often pasted in place of a signing secret. */
const otherKeys: readonly (readonly [RegExp, string])[] = [
  [/^(?:sk|rk|pk)_(?:live|test)_/, 'a Stripe API key'],
  [/^(?:ghp|gho|ghs|github_pat)_/, 'a GitHub access token'],
  [/^xox[abeprs]-/, 'a Slack token'],
  [/^shp(?:at|ca|pa|ua)_/, 'a Shopify access token'],
  [/^(?:AC|SK)[0-9a-f]{32}$/, 'a Twilio SID'],
  [/^pdl_(?:live|sdbx)_apikey_/, 'a Paddle API key'],
  [/^\d{6,}:[\w-]{30,}$/, 'a Telegram bot token'],
]

function hintWithoutTrying({ scheme, delivery, keys }: FailedProof): string | undefined {
  const mayBeText = keys[0]?.type === 'secret' ? keys[0].export().toString('utf8') : ''
  const other = otherKeys.find(([pattern]) => pattern.test(mayBeText))
  if (other !== undefined)
    return `The configured secret looks like ${other[1]}, not like the secret that signs webhooks.`
  if (!scheme.isBodySigned || delivery.body.length > 0) return undefined
  return 'The body is empty: something before Oncehook (a body parser or other middleware) may have read it already.'
}

function hintByTrying({ scheme, proof, delivery, keys }: FailedProof): string | undefined {
  const [key] = keys
  if (key === undefined || delivery.body.length > largestExaminedBody) return undefined
  const guesses = [
    ...(scheme.isUrlSigned ? urlGuesses(delivery) : []),
    ...(key.type === 'secret' ? secretGuesses(key) : []),
    ...(scheme.isBodySigned ? bodyGuesses(delivery.body) : []),
  ]
  return guesses.find((guess) => proof.isMadeWith(guess.key ?? key, guess.instead))?.hint
}

function secretGuesses(key: KeyObject): readonly Guess[] {
  const bytes = key.export()
  const text = bytes.toString('utf8')
  const trimmed = text.replaceAll(/^["'\s]+|["'\s]+$/g, '')
  const encoded = bytes.toString('base64')
  const guess = (other: Buffer | undefined, hint: string): readonly Guess[] =>
    other === undefined || other.length === 0 || other.equals(bytes) ? [] : [{ key: createSecretKey(other), hint }]
  return [
    ...guess(
      Buffer.from(trimmed),
      'The configured secret has spaces, line breaks or quotes around it: without them it would match.',
    ),
    ...guess(
      decodeStrictly(trimmed.replace(/^whsec_/, ''), 'base64'),
      'The configured secret is base64 and this sender signs with the decoded bytes: give the decoded secret.',
    ),
    ...guess(
      decodeStrictly(trimmed, 'hex_any_case'),
      'The configured secret is hexadecimal and this sender signs with the decoded bytes: give the decoded secret.',
    ),
    ...guess(
      Buffer.from(encoded),
      'The secret was decoded from base64, but this sender signs with its text: give it undecoded.',
    ),
    ...guess(
      Buffer.from(`whsec_${encoded}`),
      'The secret was decoded, but this sender signs with its whole text including "whsec_".',
    ),
  ]
}

function bodyGuesses(body: Uint8Array): readonly Guess[] {
  const text = decodeUtf8(body)
  if (text === undefined) return []
  const bodyGuess = (other: string, hint: string): Guess => ({ hint, instead: { body: Buffer.from(other, 'utf8') } })
  const trimmed = text.replace(/\r?\n$/, '')
  const lost = 'The body lost its trailing newline on the way: hand over the exact bytes.'
  const added = 'A trailing newline was added to the body on the way: hand over the exact bytes.'
  const newlines =
    trimmed === text ? ['\n', '\r\n'].map((end) => bodyGuess(text + end, lost)) : [bodyGuess(trimmed, added)]
  const layouts = rewrittenForms(body, text).filter((layout) => layout !== text)
  return [...newlines, ...layouts.map((layout) => bodyGuess(layout, rewritten))]
}

const rewritten =
  'The body was parsed and written again before it came here (the same JSON in another layout would match): ' +
  'hand over the raw bytes, before any JSON parser.'

/** The layouts that providers use: compact, indented, and with everything beyond ASCII escaped. */
function rewrittenForms(body: Uint8Array, text: string): readonly string[] {
  if (parseJson(body).kind !== 'parsed') return []
  const document: unknown = JSON.parse(text)
  const compact = JSON.stringify(document)
  const ascii = compact.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [compact, JSON.stringify(document, undefined, 2), ascii, ascii.replaceAll('/', '\\/')]
}

function urlGuesses(delivery: Delivery): readonly Guess[] {
  const { url, headers } = delivery
  const forwardedHost = firstHeader(headers, 'x-forwarded-host')
  const forwardedScheme = firstHeader(headers, 'x-forwarded-proto')
  const otherScheme = url.startsWith('https:') ? url.replace(/^https/, 'http') : url.replace(/^http/, 'https')
  const forwarded = url.replace(/^https?:\/\/[^/?#]*/, `${forwardedScheme ?? 'https'}://${forwardedHost ?? ''}`)
  const [path = '', query] = url.split('?', 2)
  const otherPath = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const set = 'set publicUrl to the address that the sender calls.'
  return [
    {
      hint: `The sender called ${otherScheme.split(':', 1)[0]}, a proxy in front ends TLS: ${set}`,
      instead: { url: otherScheme },
    },
    ...(forwardedHost === undefined
      ? []
      : [{ hint: `The sender called another host (see x-forwarded-host): ${set}`, instead: { url: forwarded } }]),
    {
      hint: `The path differs in a slash at its end from the one that was called: ${set}`,
      instead: { url: query === undefined ? otherPath : `${otherPath}?${query}` },
    },
  ]
}

/** Nothing matched; the unverified body may at least say which of two environments it claims to be from. */
function hintFromMode({ body }: Delivery): string | undefined {
  if (body.length > largestExaminedBody) return undefined
  const parsed = parseJson(body)
  const mode = parsed.kind === 'parsed' && isObject(parsed.document) ? parsed.document.livemode : undefined
  if (typeof mode !== 'boolean') return undefined
  return `The event claims to be from ${mode ? 'live' : 'test'} mode, and every endpoint and mode has its own secret: check which one is configured.`
}
