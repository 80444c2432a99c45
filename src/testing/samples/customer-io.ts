import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

/** Events of Customer.io. */
export const samples: ProviderSamples = {
  'email.clicked': (input) =>
    event(input, 'email', 'clicked', { href: 'https://example.com/orders/1001?a=1&b=ü', link_id: 1 }),
  'email.delivered': (input) => event(input, 'email', 'delivered', { subject: 'Vielen Dank für Ihre Bestellung' }),
  'customer.unsubscribed': (input) => event(input, 'customer', 'unsubscribed', {}),
}

function event(
  { id, at, unique }: SampleInput,
  object: string,
  metric: string,
  details: Readonly<Record<string, unknown>>,
): EventToSign {
  const person = {
    customer_id: '1001',
    identifiers: { id: '1001', email: 'jenny@example.com', cio_id: 'd9c106000001' },
  }
  return {
    type: `${object}.${metric}`,
    payload: {
      data: { ...person, delivery_id: `RPIL${unique}`, recipient: 'jenny@example.com', ...details },
      event_id: id ?? `01${unique.toUpperCase()}`,
      object_type: object,
      metric,
      timestamp: secondsOf(at),
    },
  }
}
