import type { RecoveryStore } from '../store/recovery-store.ts'
import type { HistoricEvent } from '../verify/event-history.ts'
import { safeId } from '../verify/safe-id.ts'
import type { HistoryRange } from './history-range.ts'

/** An event that the provider says it has sent, beside what the ledger says. */
export type ComparedEvent = {
  readonly historic: HistoricEvent
  /** As receipts have it. */
  readonly eventId: string
  readonly type: string
  readonly verdict: 'known' | 'missing' | 'not_allowed' | 'not_handled'
}

export type ComparedPage = { readonly events: readonly ComparedEvent[]; readonly next: string | undefined }

/** Asks the provider for one part of its history, and the ledger for what it has of that: by its unique key, never by searching. */
export async function comparePage(
  store: Pick<RecoveryStore, 'knownEvents' | 'coveredObjects'>,
  {
    environment,
    range,
    cursor,
  }: { readonly environment: string; readonly range: HistoryRange; readonly cursor: string | undefined },
): Promise<ComparedPage> {
  const { source, history, from, to, types, signal } = range
  const page = await history.list({ from, to, cursor, types, signal })
  const named = page.events.map((historic) => ({ historic, ...nameOf(range, historic) }))
  const wanted = named.filter(({ type }) => range.unwanted(type) === undefined)
  const known = new Set(
    await store.knownEvents(environment, source, [...new Set(wanted.map(({ eventId }) => eventId))]),
  )
  const open = wanted.filter(({ eventId, historic }) => !known.has(eventId) && historic.object !== undefined)
  const objects = open.flatMap(({ historic }) => historic.object ?? [])
  for (const place of await store.coveredObjects(environment, source, objects)) known.add(open[place]?.eventId ?? '')
  const verdictOf = (eventId: string, type: string): ComparedEvent['verdict'] =>
    range.unwanted(type) ?? (known.has(eventId) ? 'known' : 'missing')
  return { events: named.map((one) => ({ ...one, verdict: verdictOf(one.eventId, one.type) })), next: page.next }
}

/** The source itself says what it would call the event, if there is enough of it to say so. */
function nameOf({ provider }: HistoryRange, { outline, id, type }: HistoricEvent): { eventId: string; type: string } {
  const identified = outline === undefined ? [] : provider.identify(outline)
  const events = 'kind' in identified ? [] : identified
  const [only] = events.length === 1 ? events : events.filter((event) => event.id === safeId(id))
  return only === undefined ? { eventId: safeId(id), type } : { eventId: only.id, type: only.type }
}
