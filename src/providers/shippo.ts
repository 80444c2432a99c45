import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { pairs } from '../verify/schemes/signature-format.ts'

/** Shippo, with HMAC switched on. The secret is the one that Shippo's support issues. https://docs.goshippo.com/docs/tracking/webhooks/ */
export const shippo: (options: ProviderOptions) => Provider = defineProvider({
  name: 'shippo',
  title: 'Shippo',
  documentation: 'https://docs.goshippo.com/docs/tracking/webhooks/',
  scheme: signature({
    header: 'shippo-auth-signature',
    format: pairs({ algorithm: hmac('sha256'), encoding: 'hex', separator: ',', timestamp: 't', signature: 'v1' }),
    over: '{timestamp}.{body}',
    // None is documented; it signs as Stripe does, and so do the receivers that are public.
    toleranceSeconds: 300,
  }),
  idField: 'event, data.carrier, data.tracking_number and data.tracking_status.object_id',
  isIdSigned: true,
  confidence: 'unsure',
  uncertain: [
    'how it signs (second-hand)',
    'how long and how often it tries again',
    'the deadline of 3 s (second-hand)',
    'where the fields of the body are',
  ],
  surprises: [
    'Signatures have to be asked for: Shippo’s support switches them on and issues the secret, which can take ten working days. Until then use the provider token with ?token= in the address.',
    'There is no id of an event. Every scan of a parcel has an id of its own, and so does every label.',
    'A tracking number is unique only within its carrier.',
  ],
  identify: ({ document }) => {
    const [type, data] = [field(document, 'event'), field(document, 'data')]
    return {
      id: compositeId([type, ...subjectOf(data), versionOf(data)]),
      type,
      objectId: field(data, 'tracking_number') ?? field(data, 'object_id'),
      occurredAt: fromDateText(field(data, 'tracking_status.status_date') ?? field(data, 'object_updated')),
    }
  },
  retrySchedule: 'after 408, 429 and 5xx only',
  sending: { retriedStatuses: [408, 429, '5xx'] },
  deadlineSeconds: 3,
  // Other 4xx are not retried: a wrong secret or clock of ours must not cost events.
  refusalStatus: { forged: 503 },
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      test: false,
      data: {
        carrier: 'usps',
        tracking_number: '9205590164917312751089',
        tracking_status: { object_id: id ?? freshId(), status: 'DELIVERED', status_date: at.toISOString() },
        tracking_history: [],
      },
      ...payload,
      event: type ?? payload?.event ?? 'track_updated',
    }),
})

/** A parcel, or the label or batch that the event is about. */
function subjectOf(data: unknown): readonly unknown[] {
  const parcel = field(data, 'tracking_number')
  return parcel === undefined ? [field(data, 'object_id')] : [field(data, 'carrier') ?? '-', parcel]
}

/**
 * The scan, with the expected arrival, which can change while the scan stays. What has no scan is told apart by the time of its
 * change, and what has neither by its content.
 */
function versionOf(data: unknown): string | undefined {
  if (!isObject(data)) return undefined
  const scan = field(data, 'tracking_status.object_id')
  const version = scan === undefined ? field(data, 'object_updated') : compositeId([scan, field(data, 'eta') ?? '-'])
  return compositeId([version ?? digestOf(data)])
}
