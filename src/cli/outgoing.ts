import type { Delivery, EventToSign, Provider } from '../index.ts'
import { loadSamples } from '../testing/samples/index.ts'
import { failed, systemCodeOf } from './failure.ts'

export type EventWish = {
  readonly source: string
  readonly type?: string | undefined
  readonly id?: string | undefined
  /** In place of the sample's own payload. */
  readonly payload?: unknown
}

/** An event that can be sent any number of times, as its provider would send it. */
export type OutgoingEvent = {
  /** The ids by which the receiver will know it. */
  readonly ids: readonly string[]
  readonly type: string
  /** The same bytes every time, freshly signed. */
  readonly deliver: (at: Date) => Delivery
}

/** A realistic event; of a type without a sample, the provider's plain one. */
export async function composeEvent(
  provider: Provider,
  wish: EventWish,
  { url, at }: { url: string; at: Date },
): Promise<OutgoingEvent> {
  const first = provider.sign({ ...(await eventOf(wish, at)), url }, at)
  const identified = provider.identify(first)
  if ('kind' in identified) {
    throw failed(`This event would not be understood as one of ${provider.name}: ${identified.detail}`)
  }
  const headers = Object.fromEntries([...first.headers].map(([name, values]) => [name, values.join(', ')]))
  return {
    ids: identified.map(({ id }) => id),
    type: identified[0]?.type ?? wish.type ?? '',
    // Providers sign anew each time they send, and so does this: an old signature would be refused.
    deliver: (now) => provider.sign({ url: first.url, method: first.method, headers, body: first.body }, now),
  }
}

/** What came back for one delivery. */
export type Answered = {
  /** Undefined if no answer came. */
  readonly status: number | undefined
  readonly verdict: string
  readonly receipt?: string
  readonly milliseconds: number
  readonly error?: string
}

const patienceMilliseconds = 30_000

/** Sends one delivery over HTTP. Never rejects. */
export async function post({ method, url, headers, body }: Delivery): Promise<Answered> {
  const startedAt = performance.now()
  try {
    const response = await fetch(url, {
      method,
      headers: sendable(headers),
      ...(method !== 'GET' && { body: Buffer.from(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMilliseconds),
    })
    const text = await response.text()
    return { status: response.status, ...verdictOf(text, response.status), milliseconds: performance.now() - startedAt }
  } catch (error) {
    return {
      status: undefined,
      verdict: 'no answer',
      milliseconds: performance.now() - startedAt,
      error: systemCodeOf(error) ?? (error instanceof Error ? error.name : 'unknown'),
    }
  }
}

async function eventOf({ source, type, id, payload }: EventWish, at: Date): Promise<EventToSign> {
  const samples = await loadSamples(source)
  const isSample = type === undefined || samples.types.includes(type)
  const plain = { ...(type !== undefined && { type }), ...(id !== undefined && { id }) }
  if (payload !== undefined) return { ...plain, payload }
  return isSample ? samples.make({ at, ...plain }) : plain
}

/** The connection sets these by itself. */
const setByConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])

function sendable(headers: Delivery['headers']): [string, string][] {
  return [...headers].flatMap(([name, values]) =>
    setByConnection.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  )
}

/** Our own answers say what became of the delivery; those that a provider wants say nothing. */
function verdictOf(text: string, status: number): { readonly verdict: string; readonly receipt?: string } {
  try {
    const { verdict, receipt } = JSON.parse(text) as { readonly verdict?: unknown; readonly receipt?: unknown }
    if (typeof verdict === 'string') return { verdict, ...(typeof receipt === 'string' && { receipt }) }
  } catch {
    // Not JSON.
  }
  return { verdict: status >= 200 && status < 300 ? 'taken' : 'refused' }
}
