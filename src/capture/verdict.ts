import type { CaptureIdentity } from '../store/capture-store.ts'
import type { HeaderDifference, HeaderRole } from './compare-headers.ts'

/**
 * What deliveries are to each other. `same_event`: one event, the same body. `mutated`: one event, with bodies that differ.
 * `replayed_body`: one body under several ids. `unknown`: nobody says which events they are.
 */
export type IdentityVerdict = 'same_event' | 'mutated' | 'replayed_body' | 'different_events' | 'unknown'

export type Compared = {
  readonly identities: readonly (CaptureIdentity | undefined)[]
  readonly areBytesEqual: boolean
  /** The same document, however it is written. */
  readonly areDocumentsEqual: boolean
  readonly headers: readonly HeaderDifference[]
  readonly paths: readonly string[]
}

/** Whether these are one event, and why. */
export type IdentityFinding = { readonly verdict: IdentityVerdict; readonly explanation: string }

/** Says in words what was found. */
export function judge(compared: Compared): IdentityFinding {
  const { identities, areBytesEqual, areDocumentsEqual } = compared
  const known = identities.flatMap((identity) => identity ?? [])
  if (known.length < identities.length) return { verdict: 'unknown', explanation: unknownText(compared) }
  const groups = groupsOf(known)
  const [first] = known
  if (groups.size === 1 && first !== undefined) {
    const all = `${both(identities.length)} are the event ${first.eventId} (${first.type}) of ${first.provider}`
    if (!areDocumentsEqual) return { verdict: 'mutated', explanation: mutatedText(all, compared) }
    const body = areBytesEqual ? 'with the same bytes' : 'with the same document, written differently'
    return { verdict: 'same_event', explanation: `${all}, ${body}. ${headersText(compared.headers)}` }
  }
  const list = [...groups].map(([name, places]) => `${name} (${places.join(', ')})`).join(', ')
  if (!areBytesEqual) {
    const word = groups.size === identities.length ? 'different events' : `${groups.size} events`
    return { verdict: 'different_events', explanation: `They are ${word}: ${list}.` }
  }
  const warning =
    'Either the provider says the same thing twice, or somebody has sent a captured body again under a new id, which works where the signature leaves out the id.'
  return {
    verdict: 'replayed_body',
    explanation: `The bodies are the same byte for byte, but the ids are not: ${list}. ${warning}`,
  }
}

/** By event, the places of its deliveries, from 1. */
function groupsOf(identities: readonly CaptureIdentity[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, { provider, eventId }] of identities.entries()) {
    const key = `${provider} ${eventId}`
    groups.set(key, [...(groups.get(key) ?? []), index + 1])
  }
  return groups
}

function unknownText({ identities, areBytesEqual, areDocumentsEqual, headers }: Compared): string {
  const places = identities.flatMap((identity, index) => (identity === undefined ? [index + 1] : []))
  const who = places.length === identities.length ? 'None of them says' : `Number ${places.join(' and ')} does not say`
  const body = areBytesEqual
    ? `The bodies are the same byte for byte, as of a retry. ${headersText(headers)}`
    : areDocumentsEqual
      ? 'The bodies are the same document, written differently.'
      : 'The bodies differ.'
  return `${who} which event it is, in a way that a known provider would. ${body}`
}

function mutatedText(all: string, { paths }: Compared): string {
  const shown = paths.slice(0, 5).join(', ')
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : ''
  const place =
    paths.length === 0
      ? 'in their bytes'
      : `in ${paths.length === 1 ? 'one place' : `${paths.length} places`}: ${shown}${more}`
  return `${all}, but their bodies differ ${place}. Whoever remembers ids takes only the first of them.`
}

const expected: ReadonlySet<HeaderRole> = new Set(['signature', 'time', 'delivery', 'transport'])

/** What changed between retries, and whether it was to be expected. */
function headersText(headers: readonly HeaderDifference[]): string {
  if (headers.length === 0) return 'Their headers are the same too.'
  const names = headers.map(({ name }) => name).join(', ')
  const others = headers.filter(({ role }) => !expected.has(role)).map(({ name }) => name)
  if (others.length === 0)
    return `Only headers about signature, time, delivery and transport differ (${names}), as between retries.`
  return `Their headers differ: ${names}. Of these ${others.join(', ')} would not change in a plain retry.`
}

function both(count: number): string {
  return count === 2 ? 'Both' : `All ${count}`
}
