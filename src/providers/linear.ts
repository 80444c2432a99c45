import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { plain } from '../verify/schemes/signature-format.ts'
import { signatureWithTimestampInBody } from '../verify/schemes/timestamp-in-body.ts'

/** Linear. The secret is the webhook's signing secret. https://linear.app/developers/webhooks */
export const linear: (options: ProviderOptions) => Provider = defineProvider({
  name: 'linear',
  title: 'Linear',
  documentation: 'https://linear.app/developers/webhooks',
  scheme: signatureWithTimestampInBody({
    header: 'linear-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
    timestampField: 'webhookTimestamp',
    toleranceSeconds: 60,
  }),
  idField: 'the signed body without its "webhookTimestamp"',
  isIdSigned: true,
  // A payload is created once, at createdAt, and each attempt to send it has its own webhookTimestamp.
  // Nobody says whether a retry keeps the header linear-delivery, and it is not signed.
  identify: ({ headers, document }) => {
    const [type, action, createdAt] = ['type', 'action', 'createdAt'].map((name) => field(document, name))
    return {
      id: compositeId([type, action, createdAt, digestOf(withoutTimestamp(document))]),
      type: typeof type === 'string' && typeof action === 'string' ? `${type}.${action}` : undefined,
      deliveryId: headers.get('linear-delivery'),
      objectId: ['data.id', 'agentSession.id', 'issueData.id'].map((path) => field(document, path)).find(Boolean),
      occurredAt: fromDateText(createdAt),
    }
  },
  // Only 200 counts.
  answer: () => ({ status: 200 }),
  successStatus: '200 only',
  confidence: 'executed',
  uncertain: ['whether a retry keeps the header linear-delivery'],
  surprises: [
    'The signed time is inside the body. The header linear-timestamp is not signed and proves nothing.',
    'A retry has a new time in its body, so its bytes and its signature differ from the first attempt.',
    'The field webhookId names the webhook and is the same in every delivery: it tells no events apart.',
  ],
  retryHours: 7.02,
  retrySchedule: 'after 1 minute, 1 hour and 6 hours; an endpoint that keeps failing may be switched off',
  sending: { pausesSeconds: [60, 3_600, 21_600], successes: [200] },
  deadlineSeconds: 5,
  compose: ({ id, type = 'Issue.create', payload }, at) => {
    const [entity, action] = type.split('.', 2)
    return jsonEvent(
      {
        action,
        type: entity,
        createdAt: at.toISOString(),
        data: { id: id ?? freshUuid(), number: 1923, title: 'The pay button can be pressed twice', priority: 1 },
        organizationId: '3f53ad16-f78d-4d8c-94b2-1eb7a2d1d3bf',
        webhookId: '9d4d7f7e-0a52-4b9f-97a7-7e4c0d3f2f10',
        ...payload,
        webhookTimestamp: at.getTime(),
      },
      { 'user-agent': 'Linear-Webhook', 'linear-delivery': freshUuid(), 'linear-event': entity ?? '' },
    )
  },
})

function withoutTimestamp(document: unknown): unknown {
  if (!isObject(document)) return document
  return Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'webhookTimestamp'))
}
