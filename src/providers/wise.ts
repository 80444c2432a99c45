import { rsa } from '../verify/algorithms/rsa.ts'
import { freshNumber, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { anyPrivateKey, anyPublicKey } from '../verify/keys.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Wise. `publicKey` is the one that Wise publishes, another one for the sandbox. https://docs.wise.com/api-docs/webhooks-notifications */
export const wise: (options: ProviderOptions) => Provider = defineProvider({
  name: 'wise',
  title: 'Wise',
  documentation: 'https://docs.wise.com/api-docs/webhooks-notifications',
  scheme: signature({
    header: 'x-signature-sha256',
    format: plain({ algorithm: rsa(), encoding: 'base64' }),
    publicKey: anyPublicKey,
    privateKey: anyPrivateKey,
  }),
  idField: 'the subscription, the type and all of "data"',
  isIdSigned: true,
  identify: ({ headers, document }) => {
    const [type, data] = [field(document, 'event_type'), field(document, 'data')]
    return {
      // Times are whole seconds, and a balance can move twice in one: only all of the data tells such events apart.
      id: isObject(data) ? compositeId([field(document, 'subscription_id'), type, digestOf(data)]) : undefined,
      type,
      deliveryId: headers.get('x-delivery-id'),
      objectId: field(data, 'resource.id'),
      occurredAt: fromDateText(field(data, 'occurred_at')),
    }
  },
  // Nobody says that test notifications are signed, and they need a 200 for the subscription to be made.
  handshakes: {
    before_verification: ({ headers }) => (headers.get('x-test-notification') === 'true' ? { status: 200 } : undefined),
  },
  handshakeGuide:
    'A test notification (x-test-notification: true) comes when a subscription is made. It is answered 200 and not processed.',
  answer: () => ({ status: 200 }),
  // 400 and its like are tried three times only: a wrong key of ours must not cost events.
  refusalStatus: { forged: 503, malformed: 503 },
  order: 'not_guaranteed',
  confidence: 'documents',
  uncertain: ['whether x-delivery-id stays on a retry', 'whether test notifications are signed'],
  surprises: [
    'The keys of production and sandbox differ.',
    'An answer of 400 and the like is retried only twice, so what is refused here is answered 503.',
    'The address must not have a query.',
    'Two subscriptions to one type make two deliveries of everything.',
  ],
  retryHours: 370,
  retrySchedule: '25 times: after 1 minute, then twice as long each time, and daily for the last two weeks',
  sending: { pausesSeconds: [60], growth: 2, longestPauseSeconds: 86_400, retries: 25, successes: [200] },
  successStatus: '200 only',
  deadlineSeconds: 5,
  compose: ({ id, type, payload }, at) =>
    jsonEvent(
      {
        data: {
          resource: { type: 'transfer', id: id ?? freshNumber(), profile_id: 222, account_id: 333 },
          current_state: 'outgoing_payment_sent',
          previous_state: 'funds_converted',
          occurred_at: at.toISOString(),
        },
        subscription_id: '01234567-89ab-cdef-0123-456789abcdef',
        schema_version: '2.0.0',
        sent_at: at.toISOString(),
        ...payload,
        event_type: type ?? payload?.event_type ?? 'transfers#state-change',
      },
      { 'user-agent': 'Wise Webhooks', 'x-delivery-id': freshUuid() },
    ),
})
