/** What a key means, given the keys before it. */
export type Shortcut =
  | { readonly kind: 'go'; readonly path: string }
  | { readonly kind: 'act'; readonly name: ActName }
  /** The first key of two. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'none' }

export type ActName = 'next' | 'previous' | 'open' | 'mark' | 'search' | 'help' | 'pause'

/** After `g`: where to. */
export const places: readonly (readonly [key: string, path: string, name: string])[] = [
  ['o', '', 'Overview'],
  ['e', 'events', 'Events'],
  ['d', 'dead-letters', 'Dead letters'],
  ['m', 'messages', 'Outbox'],
  ['s', 'sources', 'Sources'],
  ['c', 'captures', 'Captures'],
  ['k', 'datastore', 'Datastore'],
  ['u', 'automations', 'Automations'],
  ['a', 'alerts', 'Alerts'],
  ['l', 'audit', 'Audit log'],
]

export const acts: readonly (readonly [key: string, name: ActName, meaning: string])[] = [
  ['j', 'next', 'Next line'],
  ['k', 'previous', 'Line before'],
  ['Enter', 'open', 'Open the line'],
  ['x', 'mark', 'Choose the line, to compare or replay'],
  ['p', 'pause', 'Pause the live list, or go on'],
  ['/', 'search', 'Search'],
  ['?', 'help', 'This help'],
]

export type KeyPress = {
  readonly key: string
  /** With Control, Alt or Meta it belongs to the browser. */
  readonly isModified: boolean
  /** Somebody writes, or a dialog is open. */
  readonly isTyping: boolean
  /** `Enter` belongs to a link or a button that has the focus. */
  readonly isOnControl: boolean
  readonly isAfterG: boolean
}

export function shortcutOf({ key, isModified, isTyping, isOnControl, isAfterG }: KeyPress): Shortcut {
  if (isModified || isTyping) return { kind: 'none' }
  if (isAfterG) {
    const place = places.find(([one]) => one === key)
    return place === undefined ? { kind: 'none' } : { kind: 'go', path: place[1] }
  }
  if (key === 'g') return { kind: 'begun' }
  const act = acts.find(([one]) => one === key)
  if (act === undefined || (key === 'Enter' && isOnControl)) return { kind: 'none' }
  return { kind: 'act', name: act[1] }
}
