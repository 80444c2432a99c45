import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Checkout.com workflows. The secret is the signature key of the webhook action. https://checkout.com/docs/workflows/set-up-your-webhook-receiver */
export const checkoutCom: (options: ProviderOptions) => Provider = defineProvider({
  name: 'checkout-com',
  title: 'Checkout.com',
  documentation: 'https://checkout.com/docs/workflows/set-up-your-webhook-receiver',
  scheme: signature({
    header: 'cko-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'the body field "id"',
  isIdSigned: true,
  reads: ['id', 'type', 'data.id', 'created_on'],
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'type'),
    objectId: field(document, 'data.id'),
    occurredAt: fromDateText(field(document, 'created_on')),
  }),
  confidence: 'documents',
  uncertain: ['whether and how long it tries again', 'its deadline', 'that a retry keeps the id'],
  surprises: [
    'The signature key is optional: a webhook that was made without one is not signed, and everything it sends is refused here.',
    'Parsing the body and writing it anew changes the precision of numbers, and with it the signature.',
  ],
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      version: '1.0.0',
      created_on: at.toISOString(),
      data: {
        id: freshId('pay_'),
        action_id: freshId('act_'),
        reference: 'order-1001',
        amount: 4200,
        currency: 'EUR',
        response_code: '10000',
        response_summary: 'Approved',
      },
      ...payload,
      id: id ?? payload?.id ?? freshId('evt_'),
      type: type ?? payload?.type ?? 'payment_captured',
    }),
})
