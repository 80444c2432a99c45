import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Callbacks of Vonage. */
export const samples: ProviderSamples = {
  delivered: (input) =>
    callback(input, 'delivered', { channel: 'whatsapp', usage: { currency: 'EUR', price: '0.0333' } }),
  rejected: (input) =>
    callback(input, 'rejected', { channel: 'sms', error: { title: '1022', detail: 'Invalid sender' } }),
  // What came in has a channel and no status.
  sms: (input) =>
    callback(input, 'sms', { status: undefined, channel: 'sms', message_type: 'text', text: 'Where is my parcel?' }),
}

function callback(
  { id, at, unique }: SampleInput,
  type: string,
  fields: Readonly<Record<string, unknown>>,
): EventToSign {
  if (id !== undefined) return { id, type, payload: fields }
  const timestamp = at.toISOString().slice(0, 19).replace('T', ' ')
  return { type, payload: { message_uuid: uuidOf(unique), timestamp, ...fields } }
}
