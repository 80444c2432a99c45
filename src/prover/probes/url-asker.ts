import { invalidOptions } from '../../errors.ts'
import type { Asker, Subject } from './probe.ts'

const patienceMilliseconds = 10_000

/** Asks an address by GET. `{event}` and `{object}` in it are replaced, escaped; without them both are added to the query. */
export function urlAsker(template: string): Asker {
  if (!/^https?:\/\//i.test(template) || !URL.canParse(template)) {
    throw invalidOptions('The prover', ['The address of a probe has to start with http:// or https://.'])
  }
  return {
    asksBy: template.includes('{object}') && !template.includes('{event}') ? 'object' : 'event',
    async ask(subject) {
      const response = await fetch(addressFor(template, subject), { signal: AbortSignal.timeout(patienceMilliseconds) })
      const text = await response.text()
      if (!response.ok) throw new Error(`The probe's address answered ${response.status}.`)
      return text
    },
    close: async () => {},
  }
}

/** The address for one question. */
export function addressFor(template: string, { eventId, objectId = '' }: Subject): string {
  const hasPlaces = /\{(?:event|object)\}/.test(template)
  if (hasPlaces) {
    return template
      .replaceAll('{event}', () => encodeURIComponent(eventId))
      .replaceAll('{object}', () => encodeURIComponent(objectId))
  }
  const url = new URL(template)
  url.searchParams.set('event', eventId)
  url.searchParams.set('object', objectId)
  return url.href
}
