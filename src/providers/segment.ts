import type { Delivery } from '../delivery/delivery.ts'
import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { parseJson } from '../verify/json.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import type { Scheme } from '../verify/scheme.ts'
import { overText } from '../verify/schemes/over-text.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** What Segment can be told beyond the common options. */
export type SegmentOptions = {
  /** `refuse` takes single events only, which are signed as a whole. Default `accept`. */
  readonly batches?: 'accept' | 'refuse' | undefined
}

/** Segment's webhook destination (Actions). The secret is its shared secret. https://www.twilio.com/docs/segment/connections/destinations/catalog/actions-webhook */
export const segment: (options: ProviderOptions & SegmentOptions) => Provider = defineProvider<SegmentOptions>(
  ({ batches = 'accept' }) => ({
    name: 'segment',
    title: 'Segment (Webhook Actions destination)',
    documentation: 'https://www.twilio.com/docs/segment/connections/destinations/catalog/actions-webhook',
    scheme: batches === 'refuse' ? overBody : overFirstEvent,
    idField: 'the field "messageId" of each event',
    isIdSigned: batches === 'refuse',
    isBatch: batches === 'accept',
    identify: ({ document }) =>
      Array.isArray(document)
        ? document.map((event, index) => ({ ...eventOf(event), part: `/${index}` }))
        : eventOf(document),
    retryHours: 4,
    retrySchedule: 'with growing pauses of random length; a batch may be grouped in another way',
    deadlineSeconds: 5,
    // Nobody says how large a batch gets; the usual thousand events do not fit into 1 MB.
    maximumBodyBytes: 16 * 1024 * 1024,
    confidence: 'source',
    weaknesses:
      batches === 'refuse'
        ? []
        : [
            'Of a batch only the first event is signed: whoever saw one delivery can put any events behind it. ' +
              'If that matters, switch batching off in Segment and set batches: "refuse" here.',
          ],
    surprises: [
      'The signature of a batch is made over its first event alone, written anew as JSON.',
      'A retried batch can hold other events than before, so each event counts by itself.',
      'The body is what the mapping makes of it: keep messageId and type in it.',
    ],
    ownOptions: { batches: '"refuse" takes single events only, which are signed as a whole; default "accept"' },
    mistakes: ['accept', 'refuse'].includes(batches) ? [] : ['"batches" must be "accept" or "refuse".'],
    compose: ({ id, type, payload }, at) => {
      const [kind, ...name] = type?.split('.') ?? []
      return jsonEvent({
        userId: '019mr8mf4r',
        timestamp: at.toISOString(),
        ...(payload ?? { type: 'track', event: 'Order Completed', properties: { revenue: '39.95' } }),
        ...(kind === undefined ? {} : { type: kind }),
        ...(name.length === 0 ? {} : { event: name.join('.') }),
        messageId: id ?? payload?.messageId ?? freshUuid(),
      })
    },
  }),
)

const overBody: Scheme = signature({
  header: 'x-signature',
  format: plain({ algorithm: hmac('sha1'), encoding: 'hex' }),
})

const overFirstEvent: Scheme = overText(
  {
    describe: 'HMAC-SHA1 over the body, or over the first event of a batch, in x-signature',
    textOf: firstEvent,
    isBodySigned: false,
    isUrlSigned: false,
  },
  overBody,
)

function firstEvent({ body }: Delivery): Uint8Array | string {
  const parsed = parseJson(body, 'plain')
  const isBatch = parsed.kind === 'parsed' && Array.isArray(parsed.document)
  return isBatch ? (JSON.stringify((parsed.document as readonly unknown[])[0]) ?? '') : body
}

/** A track call has a name of its own, the others are known by their kind. */
function eventOf(event: unknown): ClaimedEvent {
  const [kind, name] = [field(event, 'type'), field(event, 'event')]
  return {
    id: field(event, 'messageId'),
    type: kind === 'track' && typeof name === 'string' ? `track.${name}` : kind,
    objectId: field(event, 'userId') ?? field(event, 'anonymousId'),
    occurredAt: fromDateText(field(event, 'timestamp')),
  }
}
