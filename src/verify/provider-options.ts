import type { Delivery } from '../delivery/delivery.ts'
import { type Redact, redactMistakes } from '../privacy/redaction.ts'
import type { EventHistory } from './event-history.ts'
import type { FetchText } from './fetched-keys.ts'
import type { IdentityOverride } from './identity.ts'
import { isObject } from './object.ts'
import type { FetchCurrent, SameChange, SourceSettings } from './provider.ts'
import { defaultKeepDays, leastKeepDays } from './provider-facts.ts'
import type { KeyOptions } from './secrets.ts'

/** What every provider can be told. */
export type ProviderOptions = KeyOptions & {
  /** The largest age and lead of a signed timestamp. Default: the provider's own. */
  readonly toleranceSeconds?: number | undefined
  /** Only these event types are processed; others are acknowledged and counted. Default: all. */
  readonly types?: readonly string[] | undefined
  /** Whether handlers run before the answer (`inline`) or after it (`queued`). Default: that of the inbox. */
  readonly mode?: 'inline' | 'queued' | undefined
  /** How long an event is remembered. At least twice as long as the provider can send it again; `forever` keeps a short key after that. */
  readonly keepDays?: number | 'forever' | undefined
  /** How long its body can be read. At most `keepDays`. Default 14 days, or `keepDays` if that is less. */
  readonly keepBodyDays?: number | undefined
  /** Larger bodies are refused. Default: the largest that the provider sends, or 1 MB. */
  readonly maximumBodyBytes?: number | undefined
  /** Whether compressed bodies are unpacked, up to `maximumBodyBytes`. Default `refuse`. */
  readonly decompress?: 'refuse' | 'bounded' | undefined
  /** Tells events apart in another way than the provider's own. */
  readonly identity?: IdentityOverride | undefined
  /** Whose delivery it is, where `secret` is looked up for many tenants: their event ids are then kept apart. */
  readonly tenant?: ((delivery: Delivery) => string | undefined) | undefined
  /** The address that the provider really calls, where a proxy shows another one and the address is signed. */
  readonly publicUrl?: string | undefined
  /** Fetches the provider's public keys in another way than over HTTPS, where it has keys to fetch. */
  readonly fetchText?: FetchText | undefined
  /** Reads the current object from the provider's API, for `fetchCurrent()` in handlers. */
  readonly fetchCurrent?: FetchCurrent | undefined
  /** What the provider says it has sent, for `inbox.gaps` and `inbox.backfill`. */
  readonly history?: EventHistory | undefined
  /** Two events for one change: the second is recorded as `same_change` and not run. Handlers may say otherwise. */
  readonly sameChange?: SameChange | undefined
  /**
   * What becomes of a signed body that comes again under a new id, where the signature leaves out the id. `flag` (the default): it is
   * processed, and its receipt says of which event it has the body. `duplicate`: it is a duplicate of that event.
   */
  readonly replayedBody?: 'flag' | 'duplicate' | undefined
  /**
   * What is left out of bodies before they are stored: paths such as `$.data.object.email`, or a function that returns what to store.
   * Ids, hashes and inline handlers see the original. Default: that of the inbox.
   */
  readonly redact?: Redact | undefined
  /** What becomes of an event whose inline handler fails: sent again by the provider, or retried here. */
  readonly whenInlineFails?: 'redeliver' | 'queue' | undefined
}

/** What the checks need to know of the provider. */
export type OptionLimits = {
  readonly retryHours: number | undefined
  readonly manualReplayDays: number | undefined
  readonly maximumBodyBytes: number
  readonly toleranceSeconds: number | undefined
  /** Whether the signature covers the event id. */
  readonly isIdSigned: boolean
  /** Whether there is anything to fetch from the provider. */
  readonly fetchesKeys: boolean
  /** Whether the document is read from the body in a way of the provider's own. */
  readonly isDocumentRead: boolean
  /** The names of options that only this provider has. */
  readonly ownOptions: readonly string[]
}

const knownOptions = [
  'secret',
  'publicKey',
  'privateKey',
  'unverified',
  'toleranceSeconds',
  'types',
  'mode',
  'keepDays',
  'keepBodyDays',
  'maximumBodyBytes',
  'decompress',
  'identity',
  'tenant',
  'publicUrl',
  'whenInlineFails',
  'fetchText',
  'fetchCurrent',
  'history',
  'sameChange',
  'replayedBody',
  'redact',
] satisfies (keyof ProviderOptions)[]

/** The settings of a source, every default in place. */
export function readSettings(options: ProviderOptions, limits: OptionLimits): SourceSettings {
  return {
    isVerified: options.unverified !== true,
    mode: options.mode,
    types: options.types,
    maximumBodyBytes: options.maximumBodyBytes ?? limits.maximumBodyBytes,
    decompress: options.decompress ?? 'refuse',
    keepDays: options.keepDays,
    keepBodyDays: options.keepBodyDays,
    publicUrl: options.publicUrl,
    whenInlineFails: options.whenInlineFails,
    fetchCurrent: options.fetchCurrent,
    history: options.history,
    sameChange: options.sameChange,
    replayedBody: options.replayedBody ?? 'flag',
    redact: options.redact,
  }
}

/** Every mistake in the options, each with the name of its option. */
export function optionMistakes(options: ProviderOptions, limits: OptionLimits): readonly string[] {
  const { toleranceSeconds, types, mode, maximumBodyBytes, decompress, identity, publicUrl, whenInlineFails } = options
  return [
    ...unknownOptions(options, limits.ownOptions),
    ...check(toleranceSeconds, isPositive, '"toleranceSeconds" must be a number above 0.'),
    ...check(
      toleranceSeconds,
      () => limits.toleranceSeconds !== undefined,
      '"toleranceSeconds" would have no effect: this provider signs no timestamp.',
    ),
    ...check(types, isListOfTexts, '"types" must be a list of event types with at least one in it.'),
    ...check(mode, (value) => value === 'inline' || value === 'queued', '"mode" must be "inline" or "queued".'),
    ...check(maximumBodyBytes, isPositiveWhole, '"maximumBodyBytes" must be a whole number above 0.'),
    ...check(
      decompress,
      (value) => value === 'refuse' || value === 'bounded',
      '"decompress" must be "refuse" or "bounded".',
    ),
    ...check(identity, isIdentity, '"identity" must be a function, fieldsDigest([...]) or bodyDigest().'),
    ...check(options.history, isHistory, '"history" must be a history, such as stripeHistory({ apiKey }).'),
    ...check(options.fetchText, (value) => typeof value === 'function', '"fetchText" must be a function.'),
    ...check(
      options.fetchText,
      () => limits.fetchesKeys,
      '"fetchText" would have no effect: this provider has no keys to fetch.',
    ),
    ...check(publicUrl, isWebAddress, '"publicUrl" must be a complete address that starts with https:// or http://.'),
    ...check(
      whenInlineFails,
      (value) => value === 'redeliver' || value === 'queue',
      '"whenInlineFails" must be "redeliver" or "queue".',
    ),
    ...check(
      options.replayedBody,
      (value) => value === 'flag' || value === 'duplicate',
      '"replayedBody" must be "flag" or "duplicate".',
    ),
    ...check(
      options.replayedBody,
      () => !limits.isIdSigned,
      '"replayedBody" would have no effect: this provider signs the event id, so a body cannot come again under a new one.',
    ),
    ...(options.redact === undefined ? [] : redactMistakes(options.redact, limits.isDocumentRead)),
    ...keepDaysMistakes(options.keepDays, limits),
    ...keepBodyDaysMistakes(options, limits),
  ]
}

/** A key that is forgotten while the provider can still send its event again lets that event take effect twice. */
function keepDaysMistakes(keepDays: ProviderOptions['keepDays'], limits: OptionLimits): readonly string[] {
  if (keepDays === undefined || keepDays === 'forever') return []
  if (!isPositive(keepDays) || keepDays < 1) return ['"keepDays" must be a number of at least 1, or "forever".']
  const least = leastKeepDays(limits)
  if (keepDays >= least) return []
  return [
    `"keepDays" is ${keepDays}, but events can be sent again for ${Math.ceil(least * 50) / 100} days: keep them for at least ${least}.`,
  ]
}

/** A body is found by its receipt, so it cannot outlive that. */
function keepBodyDaysMistakes({ keepDays, keepBodyDays }: ProviderOptions, limits: OptionLimits): readonly string[] {
  if (keepBodyDays === undefined) return []
  if (!isPositive(keepBodyDays)) return ['"keepBodyDays" must be a number above 0.']
  if (keepDays === 'forever') return []
  const most = keepDays ?? defaultKeepDays(limits)
  return keepBodyDays <= most
    ? []
    : [`"keepBodyDays" is ${keepBodyDays}, but receipts are kept for ${most} days: raise "keepDays" too.`]
}

function unknownOptions(options: ProviderOptions, ownOptions: readonly string[]): readonly string[] {
  const known = new Set<string>([...knownOptions, ...ownOptions])
  return Object.keys(options)
    .filter((name) => !known.has(name))
    .map((name) => `"${name}" is not an option. Known are: ${[...known].join(', ')}.`)
}

function check<Value>(
  value: Value | undefined,
  isRight: (value: Value) => boolean,
  mistake: string,
): readonly string[] {
  return value === undefined || isRight(value) ? [] : [mistake]
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

function isPositiveWhole(value: unknown): boolean {
  return isPositive(value) && Number.isSafeInteger(value)
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '')
}

function isIdentity(value: unknown): boolean {
  return typeof value === 'function' || (isObject(value) && value.kind === 'derived_id')
}

function isHistory(value: unknown): boolean {
  return isObject(value) && typeof value.list === 'function'
}

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)
}
