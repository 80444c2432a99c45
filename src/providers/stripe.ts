import type { StripePayloads } from '../payloads/stripe.ts'
import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromDateText, fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { pairs } from '../verify/schemes/signature-format.ts'

/** Stripe, snapshot and thin events. The secret is the endpoint's `whsec_…`. https://docs.stripe.com/webhooks */
export const stripe: (options: ProviderOptions) => Provider<StripePayloads> = defineProvider({
  name: 'stripe',
  title: 'Stripe',
  documentation: 'https://docs.stripe.com/webhooks',
  // While a secret is being rolled there is one v1 per live secret, so any of them may match.
  scheme: signature({
    header: 'stripe-signature',
    format: pairs({ algorithm: hmac('sha256'), encoding: 'hex', separator: ',', timestamp: 't', signature: 'v1' }),
    over: '{timestamp}.{body}',
    toleranceSeconds: 300,
  }),
  idField: 'the body field "id"',
  isIdSigned: true,
  reads: ['id', 'type', 'created', 'data.object.id', 'related_object.id'],
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'type'),
    objectId: field(document, 'data.object.id') ?? field(document, 'related_object.id'),
    occurredAt: fromUnixSeconds(field(document, 'created')) ?? fromDateText(field(document, 'created')),
  }),
  confidence: 'executed',
  order: 'not_guaranteed',
  surprises: [
    'The secret is the whole text including "whsec_", and every endpoint and mode has its own.',
    'One change sometimes makes two events with two ids: the option "sameChange" is for those.',
    'Stripe’s own library refuses only old signatures; Oncehook also refuses those from the future.',
    'A resend by hand that succeeds does not end the automatic retries.',
  ],
  retryHours: 72,
  retrySchedule: 'With growing pauses over 3 days in live mode, three times within hours in a sandbox',
  // By the command line; in the dashboard it is 15 days.
  manualReplayDays: 30,
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      object: 'event',
      api_version: '2026-10-29.clover',
      created: unixSeconds(at),
      livemode: false,
      pending_webhooks: 1,
      data: { object: { id: freshId('in_'), object: 'invoice', status: 'paid', amount_paid: 4200, currency: 'eur' } },
      ...payload,
      id: id ?? payload?.id ?? freshId('evt_'),
      type: type ?? payload?.type ?? 'invoice.paid',
    }),
})
