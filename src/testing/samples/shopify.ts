import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Shopify. */
export const samples: ProviderSamples = {
  'orders/create': (input) => event(input, 'orders/create', order(input, 'pending')),
  'orders/paid': (input) => event(input, 'orders/paid', order(input, 'paid')),
  'app/uninstalled': (input) =>
    event(input, 'app/uninstalled', {
      id: numberOf(input.unique),
      name: 'Snow Devil',
      domain: 'snow-devil.myshopify.com',
    }),
}

function event({ id, unique }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return { id: id ?? uuidOf(unique), type, payload }
}

function order({ unique, at }: SampleInput, status: string): Readonly<Record<string, unknown>> {
  const number = numberOf(unique)
  return {
    id: number,
    admin_graphql_api_id: `gid://shopify/Order/${number}`,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    currency: 'EUR',
    total_price: '42.00',
    financial_status: status,
    email: 'jenny@example.com',
    line_items: [{ id: number + 1, title: 'Größe L — «Jacke»', quantity: 1, price: '42.00' }],
  }
}
