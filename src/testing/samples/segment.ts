import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Calls of Segment. */
export const samples: ProviderSamples = {
  'track.Order Completed': (input) =>
    event(input, 'track', {
      event: 'Order Completed',
      properties: { order_id: '1001', revenue: '39.95', currency: 'EUR', product: 'Größe L — «Jacke»' },
    }),
  identify: (input) =>
    event(input, 'identify', { traits: { name: 'Jenny Rosen', email: 'jenny@example.com', plan: 'pro' } }),
  page: (input) => event(input, 'page', { name: 'Pricing', properties: { path: '/pricing', title: 'Pricing' } }),
}

function event({ id, at, unique }: SampleInput, type: string, details: Readonly<Record<string, unknown>>): EventToSign {
  return {
    payload: {
      type,
      messageId: id ?? uuidOf(unique),
      userId: '019mr8mf4r',
      timestamp: at.toISOString(),
      context: { ip: '203.0.113.7', library: { name: 'analytics.js' } },
      ...details,
    },
  }
}
