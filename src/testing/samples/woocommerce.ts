import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** Deliveries of WooCommerce. */
export const samples: ProviderSamples = {
  'order.updated': (input) => ({
    type: 'order.updated',
    payload: {
      ...object(input),
      status: 'processing',
      currency: 'EUR',
      total: '42.00',
      billing: { first_name: 'Jenny', last_name: 'Rosen', city: 'Köln', email: 'jenny@example.com' },
      customer_note: 'Bitte klingeln',
      line_items: [{ id: 315, name: 'Größe L', product_id: 93, quantity: 1, total: '42.00' }],
    },
  }),
  'product.updated': (input) => ({
    type: 'product.updated',
    payload: { ...object(input), name: 'Größe L', sku: 'box-l', price: '42.00', stock_quantity: 7 },
  }),
  'customer.created': (input) => ({
    type: 'customer.created',
    payload: {
      ...object(input),
      email: 'jenny@example.com',
      first_name: 'Jenny',
      last_name: 'Rosen',
      role: 'customer',
    },
  }),
}

function object({ id, at, unique }: SampleInput): Readonly<Record<string, unknown>> {
  const time = at.toISOString().slice(0, 19)
  return { id: id ?? numberOf(unique), date_created_gmt: time, date_modified_gmt: time }
}
