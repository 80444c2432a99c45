import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, freshNumber, jsonEvent } from '../verify/compose.ts'
import { fromUtcText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { HandshakeAnswer } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** WooCommerce. The secret is the one of the webhook's settings. https://developer.woocommerce.com/docs/best-practices/urls-and-routing/webhooks/ */
export const woocommerce: (options: ProviderOptions) => Provider = defineProvider({
  name: 'woocommerce',
  title: 'WooCommerce',
  documentation: 'https://developer.woocommerce.com/docs/best-practices/urls-and-routing/webhooks/',
  scheme: signature({
    header: 'x-wc-webhook-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
  }),
  idField: 'the shop, the topic, the object, and what its state is; a deletion by the delivery that tells it',
  isIdSigned: false,
  reads: ['id', 'date_modified_gmt'],
  identify: (incoming) => ({
    id: idOf(incoming),
    type: incoming.headers.get('x-wc-webhook-topic'),
    deliveryId: incoming.headers.get('x-wc-webhook-delivery-id'),
    objectId: field(incoming.document, 'id'),
    occurredAt: fromUtcText(field(incoming.document, 'date_modified_gmt')),
  }),
  handshakes: { before_verification: ping },
  handshakeGuide:
    'When a webhook is saved, an unsigned form with "webhook_id" comes and has to be answered 200. That is done here.',
  confidence: 'source',
  uncertain: ['which topics come together for one checkout'],
  surprises: [
    'The header x-wc-webhook-delivery-id is no id: it is made of the webhook and the current second, so two orders within one second share it.',
    'Nothing is ever sent again, and after more than 5 failures in a row the webhook is switched off.',
    'Topics that begin with "action." have no id at all: each delivery counts as a new event.',
    'A plugin of the shop can choose another hash (woocommerce_webhook_hash_algorithm); only SHA-256 is taken.',
  ],
  retryHours: 0,
  sending: { successes: ['2xx', 301, 302], switchedOffAfterLostEvents: 6 },
  successStatus: '2xx, 301 or 302',
  deadlineSeconds: 60,
  compose: ({ id, type = 'order.updated', payload }, at) => {
    const time = at.toISOString().slice(0, 19)
    const [resource = '', event = ''] = type.split('.', 2)
    const order = { id: id ?? freshNumber(), status: 'processing', currency: 'EUR', total: '42.00' }
    return jsonEvent(payload ?? { ...order, date_created_gmt: time, date_modified_gmt: time }, {
      'x-wc-webhook-source': 'https://shop.example.com/',
      'x-wc-webhook-topic': type,
      'x-wc-webhook-resource': resource,
      'x-wc-webhook-event': event,
      'x-wc-webhook-id': '142',
      'x-wc-webhook-delivery-id': freshId(),
    })
  },
})

/** There are no retries, so what says the same about the same object is the same event, and everything else is another one. */
function idOf({ headers, document, bodySha256, arrivalId }: Incoming): string | undefined {
  const topic = headers.get('x-wc-webhook-topic')
  if (topic?.startsWith('action.')) return arrivalId
  const modified = field(document, 'date_modified_gmt')
  // A deletion has nothing but the object's id, and an object can be restored and deleted again.
  const state = typeof modified === 'string' ? [modified, bodySha256] : [headers.get('x-wc-webhook-delivery-id')]
  return compositeId([headers.get('x-wc-webhook-source') ?? '-', topic, field(document, 'id'), ...state])
}

function ping({ delivery, headers, isForm, form }: Incoming): HandshakeAnswer {
  const isPing = delivery.method === 'POST' && isForm && headers.get('x-wc-webhook-topic') === undefined
  return isPing && /^\d+$/.test(form.get('webhook_id') ?? '') ? { status: 200 } : undefined
}
