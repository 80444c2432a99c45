import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** The account that the samples are signed for. */
export const settings: Readonly<Record<string, unknown>> = { serviceAccount: 'pusher@acme.iam.gserviceaccount.com' }

/** Messages of Google Cloud Pub/Sub, by their subscription. */
export const samples: ProviderSamples = {
  'projects/acme/subscriptions/orders': (input) =>
    message(input, 'projects/acme/subscriptions/orders', { order: `A-${input.unique.slice(0, 6)}`, state: 'paid' }),
  'projects/acme/subscriptions/uploads': (input) =>
    message(input, 'projects/acme/subscriptions/uploads', { bucket: 'acme-uploads', name: `${input.unique}.jpg` }),
}

function message({ id, at, unique }: SampleInput, subscription: string, data: unknown): EventToSign {
  const content = { data: Buffer.from(JSON.stringify(data)).toString('base64'), publishTime: at.toISOString() }
  if (id !== undefined) return { id, type: subscription, payload: { message: content } }
  return { type: subscription, payload: { subscription, message: { ...content, messageId: String(numberOf(unique)) } } }
}
