import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { dottedType } from '../verify/event-type.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { list } from '../verify/schemes/signature-format.ts'

/** Recurly, JSON webhooks. The secret is the endpoint's secret key. https://docs.recurly.com/recurly-subscriptions/docs/signature-verification */
export const recurly: (options: ProviderOptions) => Provider = defineProvider({
  name: 'recurly',
  title: 'Recurly',
  documentation: 'https://docs.recurly.com/recurly-subscriptions/docs/signature-verification',
  scheme: signature({
    header: 'recurly-signature',
    format: list({ algorithm: hmac('sha256'), encoding: 'hex', separator: ',', isTimestampFirst: true }),
    over: '{timestamp}.{body}',
    timestampUnit: 'milliseconds',
    toleranceSeconds: 300,
  }),
  idField: 'the object, its "id", what happened to it and when',
  isIdSigned: true,
  // "id" is the id of the object, so it is the same for everything that happens to it.
  reads: ['object_type', 'id', 'event_type', 'event_time'],
  identify: ({ document }) => {
    const [object, objectId] = [field(document, 'object_type'), field(document, 'id')]
    const [action, time] = [field(document, 'event_type'), field(document, 'event_time')]
    return {
      id: compositeId([object, objectId, action, time]),
      type: dottedType([object, action]),
      objectId,
      occurredAt: fromDateText(time),
    }
  },
  order: 'not_guaranteed',
  confidence: 'executed',
  uncertain: ['what "id" in the body stands for', 'when more than one signature is sent'],
  surprises: [
    'The signed time is in milliseconds.',
    'XML webhooks are not signed at all and are refused here: switch the endpoint to JSON.',
    'An event says what changed, not what it is now. Read the object from the API.',
  ],
  retryHours: 73,
  retrySchedule: 'up to 10 times, the x-th after about 10 + x·2^(x+5) seconds',
  sending: { pausesSeconds: [10, 74, 266, 778, 2_058, 5_130, 12_298, 28_682, 65_546, 147_466] },
  successStatus: '2xx, without redirects',
  deadlineSeconds: 5,
  compose: ({ id, type = 'subscription.created', payload }, at) => {
    const parts = id === undefined ? [] : partsOfId(id)
    const [object, action] = type.split('.', 2)
    const [objectType = object, objectId = id ?? freshId(), eventType = action, time = at.toISOString()] =
      parts.length === 4 ? parts : []
    return jsonEvent({
      id: objectId,
      object_type: objectType,
      site_id: 'qn7r1p3z5k2m',
      event_type: eventType,
      event_time: time,
      ...payload,
    })
  },
})
