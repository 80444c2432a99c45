import type { KeyObject } from 'node:crypto'
import type { Delivery } from '../delivery/delivery.ts'
import { OncehookError } from '../errors.ts'

/** Gets a text from an address. A user's own can go through a proxy, read a file, or play the provider in a test. */
export type FetchText = (address: string, request: FetchRequest) => Promise<string>

export type FetchRequest = {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** A key that a delivery refers to, and how to ask for it. */
export type KeyAddress = {
  readonly address: string
  /** The key's name inside what is fetched, where that holds several. */
  readonly keyId?: string
  /** Default: a GET. */
  readonly request?: Pick<FetchRequest, 'headers'> & { readonly method: 'POST'; readonly body: string }
}

/** Where a provider publishes its keys. */
export type KeySource = {
  /** The provider's own hosts: nothing else is ever asked, whatever a message says. */
  readonly isOwnHost: (host: string) => boolean
  /** What to fetch for a delivery that is not believed yet; undefined if it names no key. */
  readonly addressOf: (delivery: Delivery) => KeyAddress | undefined
  /** The keys in what was fetched, by their names (`''` where there is one). Throws if it is not what was expected. */
  readonly read: (text: string, at: Date) => ReadonlyMap<string, KeyObject>
}

/** Keys for a delivery: at once if they are known, else a promise. Rejects if they cannot be fetched. */
export type KeyLookUp = (delivery: Delivery) => readonly KeyObject[] | Promise<readonly KeyObject[]>

type Entry = { readonly keys: ReadonlyMap<string, KeyObject>; readonly fetchedAt: number }

const freshMilliseconds = 3_600_000
/** What was right an hour ago is better than refusing everything while the provider's key server is down. */
const usableMilliseconds = 24 * 3_600_000
/** A flood of unknown key names or of failures must not become a flood of requests. */
const pauseMilliseconds = 30_000
/** Within that pause. Messages that nobody believes yet name addresses and keys, each of them another. */
const mostNewRequests = 20
const mostAddresses = 64

/** Looks keys up through a cache. Each address is asked by one request at a time. */
export function createKeyLookUp(
  provider: string,
  source: KeySource,
  {
    fetchText = fetchWithinLimits,
    now = Date.now,
    patienceMilliseconds = 5000,
  }: {
    readonly fetchText?: FetchText | undefined
    readonly now?: () => number
    readonly patienceMilliseconds?: number
  } = {},
): KeyLookUp {
  const entries = new Map<string, Entry>()
  const running = new Map<string, Promise<Entry>>()
  const failures = new Map<string, { readonly error: unknown; readonly at: number }>()
  const mayAskAnew = createBudget(mostNewRequests, now)

  const fetchEntry = async ({ address, request }: KeyAddress, name: string): Promise<Entry> => {
    const recent = failures.get(name)
    if (recent !== undefined && now() - recent.at < pauseMilliseconds) throw recent.error
    if (!entries.has(name) && !mayAskAnew()) throw keysUnavailable(provider, address, new Error(tooManyKeys))
    try {
      const signal = AbortSignal.timeout(patienceMilliseconds)
      const asked = fetchText(address, { method: 'GET', headers: {}, ...request, signal })
      const text = await untilAborted(asked, signal)
      const entry = { keys: source.read(text, new Date(now())), fetchedAt: now() }
      failures.delete(name)
      remember(entries, name, entry)
      return entry
    } catch (error) {
      const unavailable = keysUnavailable(provider, address, error)
      remember(failures, name, { error: unavailable, at: now() })
      throw unavailable
    }
  }

  const fetchOnce = (place: KeyAddress, name: string): Promise<Entry> => {
    const already = running.get(name)
    if (already !== undefined) return already
    const started = fetchEntry(place, name).finally(() => running.delete(name))
    running.set(name, started)
    return started
  }

  return (delivery) => {
    const place = source.addressOf(delivery)
    if (place === undefined || !isOwnAddress(source, place.address)) return []
    const { keyId = '' } = place
    const name = `${place.address}\n${place.request?.body ?? ''}`
    const known = entries.get(name)
    const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.fetchedAt
    const found = known?.keys.get(keyId)
    if (found !== undefined && age < freshMilliseconds) return [found]
    if (known !== undefined && found === undefined && age < pauseMilliseconds) return []
    return fetchOnce(place, name).then(
      ({ keys }) => listOf(keys.get(keyId)),
      (error: unknown) => {
        if (found !== undefined && age < usableMilliseconds) return [found]
        throw error
      },
    )
  }
}

/** HTTPS at its usual port, on a host of the provider, with nothing that could mislead a reader of the address. */
export function isOwnAddress({ isOwnHost }: Pick<KeySource, 'isOwnHost'>, address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, username, password } = new URL(address)
  return protocol === 'https:' && port === '' && username === '' && password === '' && isOwnHost(hostname)
}

const largestAnswerBytes = 256 * 1024

/** A request whose answer has a limit, and which is not led elsewhere by a redirect. */
export const fetchWithinLimits: FetchText = async (address, { method, headers, body, signal }) => {
  const response = await fetch(address, {
    method,
    headers,
    redirect: 'error',
    signal,
    ...(body === undefined ? {} : { body }),
  })
  if (!response.ok) throw new Error(`the answer was ${response.status}`)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > largestAnswerBytes) throw new Error('the answer is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

const tooManyKeys = 'too many different keys were asked for'

/** True as often as this within each pause. */
function createBudget(most: number, now: () => number): () => boolean {
  let startedAt = Number.NEGATIVE_INFINITY
  let count = 0
  return () => {
    if (now() - startedAt >= pauseMilliseconds) {
      startedAt = now()
      count = 0
    }
    count += 1
    return count <= most
  }
}

/** A user's own way of fetching may pay no heed to the signal. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })
}

function listOf(key: KeyObject | undefined): readonly KeyObject[] {
  return key === undefined ? [] : [key]
}

/** Messages name addresses, so they could fill the memory. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name)
  map.set(name, value)
  const [oldest] = map.keys()
  if (map.size > mostAddresses && oldest !== undefined) map.delete(oldest)
}

/** Says what failed without the address's own path, which a stranger may have written. */
function keysUnavailable(provider: string, address: string, error: unknown): OncehookError {
  const { hostname } = new URL(address)
  const cause = error instanceof Error ? (causeCode(error) ?? error.message) : String(error)
  return new OncehookError(
    'ONCEHOOK_KEYS_UNAVAILABLE',
    `The keys of ${provider} could not be fetched from ${hostname} (${cause.slice(0, 200)}), so the provider was asked to send again. ` +
      'If this machine cannot reach it, give "publicKey", or "fetchText" to go another way.',
    { cause: error },
  )
}

function causeCode({ cause }: Error): string | undefined {
  const code = (cause as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
