import { answerOf } from '../../src/delivery/answer.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { Verdict } from '../../src/verify/verdict.ts'

/** The ids of the events of a delivery; none if it is malformed. */
export function idsOf(events: ReturnType<Provider['identify']>): readonly string[] {
  return 'kind' in events ? [] : events.map(({ id }) => id)
}

/** What a sender is answered whose delivery is not taken. */
export function statusOfRefusal(source: Provider, verdict: Exclude<Verdict, { kind: 'authentic' }>): number {
  return answerOf(verdict, { taken: () => undefined, refused: source.refusalStatus }).status
}

/** The events of a delivery with this document. */
export function identifyDocument(
  source: Provider,
  document: unknown,
  headers: Readonly<Record<string, string>> = {},
): ReturnType<Provider['identify']> {
  return source.identify({ headers, body: JSON.stringify(document) })
}

/** The id of its first event. Throws if it is malformed. */
export function idOfDocument(
  source: Provider,
  document: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  const events = identifyDocument(source, document, headers)
  if ('kind' in events) throw new Error(events.detail)
  return events[0]?.id ?? ''
}
