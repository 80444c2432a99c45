import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { pairs } from '../verify/schemes/signature-format.ts'

/** Calendly. The secret is the `signing_key` of the webhook subscription. https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures */
export const calendly: (options: ProviderOptions) => Provider = defineProvider({
  name: 'calendly',
  title: 'Calendly',
  documentation: 'https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures',
  scheme: signature({
    header: 'calendly-webhook-signature',
    format: pairs({ algorithm: hmac('sha256'), encoding: 'hex', separator: ',', timestamp: 't', signature: 'v1' }),
    over: '{timestamp}.{body}',
    // As in Calendly's own sample.
    toleranceSeconds: 180,
  }),
  idField: 'event, payload.uri and created_at',
  isIdSigned: true,
  confidence: 'documents',
  uncertain: ['how it signs, and the 180 s (second-hand)', 'whether created_at stays the same on a retry'],
  surprises: [
    'There is no id of an event: its type, the invitee and the time of the event together tell it apart.',
    'After 24 hours of errors the subscription is disabled and has to be created again. Redirects count as errors.',
    'A rescheduled meeting arrives as two events, invitee.canceled and invitee.created.',
  ],
  reads: ['event', 'payload.uri', 'created_at'],
  identify: ({ document }) => {
    const [type, uri, createdAt] = ['event', 'payload.uri', 'created_at'].map((path) => field(document, path))
    return { id: compositeId([type, uri, createdAt]), type, objectId: uri, occurredAt: fromDateText(createdAt) }
  },
  retryHours: 24,
  retrySchedule: 'for 24 hours with growing pauses, after any 3xx, 4xx or 5xx',
  sending: { switchedOffAfterLostEvents: 1 },
  // 10 s to connect, 15 s to answer.
  deadlineSeconds: 15,
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      created_at: at.toISOString(),
      created_by: 'https://api.calendly.com/users/AAAAAAAAAAAAAAAA',
      payload: {
        uri: id ?? `https://api.calendly.com/scheduled_events/AAAAAAAAAAAAAAAA/invitees/${freshUuid()}`,
        email: 'jenny@example.com',
        name: 'Jenny Rosen',
        status: 'active',
        timezone: 'Europe/Berlin',
        rescheduled: false,
      },
      ...payload,
      event: type ?? payload?.event ?? 'invitee.created',
    }),
})
