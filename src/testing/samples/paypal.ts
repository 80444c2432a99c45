import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput } from './sample.ts'

/** The webhook that the samples are sent to. */
export const settings: Readonly<Record<string, unknown>> = { webhookId: '4JH86294D6297924G' }

/** Events of PayPal. */
export const samples: ProviderSamples = {
  'PAYMENT.CAPTURE.COMPLETED': (input) =>
    event(input, 'PAYMENT.CAPTURE.COMPLETED', {
      resource_type: 'capture',
      summary: 'Payment completed for € 42.00 EUR',
      resource: {
        id: objectId(input),
        status: 'COMPLETED',
        amount: { currency_code: 'EUR', value: '42.00' },
        final_capture: true,
        invoice_id: 'order-1001',
        create_time: input.at.toISOString(),
      },
    }),
  'CHECKOUT.ORDER.APPROVED': (input) =>
    event(input, 'CHECKOUT.ORDER.APPROVED', {
      resource_type: 'checkout-order',
      summary: 'An order has been approved by buyer',
      resource: {
        id: objectId(input),
        intent: 'CAPTURE',
        status: 'APPROVED',
        purchase_units: [{ reference_id: 'default', amount: { currency_code: 'EUR', value: '42.00' } }],
        create_time: input.at.toISOString(),
      },
    }),
  'BILLING.SUBSCRIPTION.CANCELLED': (input) =>
    event(input, 'BILLING.SUBSCRIPTION.CANCELLED', {
      resource_type: 'subscription',
      summary: 'Subscription cancelled',
      resource: { id: `I-${objectId(input)}`, status: 'CANCELLED', plan_id: 'P-5ML4271244454362WXNWU5NQ' },
    }),
}

function objectId({ unique }: SampleInput): string {
  return unique.slice(0, 17).toUpperCase()
}

function event({ id, at, unique }: SampleInput, type: string, fields: Readonly<Record<string, unknown>>): EventToSign {
  const create_time = at.toISOString()
  const given = id ?? `WH-${unique.slice(0, 17)}-${unique.slice(7)}`.toUpperCase()
  return { id: given, type, payload: { event_version: '1.0', create_time, event_type: type, ...fields } }
}
