import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' }

/** Changes of WhatsApp. */
export const samples: ProviderSamples = {
  messages: (input) =>
    change(input, 'messages', 'messages', {
      messaging_product: 'whatsapp',
      metadata,
      contacts: [{ profile: { name: 'Sheena Nelson' }, wa_id: '16505551234' }],
      messages: [
        {
          from: '16505551234',
          id: messageId(input),
          timestamp: timestamp(input),
          type: 'text',
          text: { body: 'Does it come in another colour?' },
        },
      ],
    }),
  statuses: (input) =>
    change(input, 'statuses', 'messages', {
      messaging_product: 'whatsapp',
      metadata,
      statuses: [
        {
          id: messageId(input).split(':', 1)[0],
          status: input.id?.split(':')[1] ?? 'delivered',
          timestamp: timestamp(input),
          recipient_id: '16505551234',
        },
      ],
    }),
  account_update: (input) =>
    change(input, 'account_update', 'account_update', { phone_number: '16505551111', event: 'VERIFIED_ACCOUNT' }),
}

function change(input: SampleInput, type: string, field: string, value: unknown): EventToSign {
  const entry = { id: '102290129340398', time: secondsOf(input.at), changes: [{ value, field }] }
  return { type, payload: { object: 'whatsapp_business_account', entry: [entry] } }
}

function messageId({ id, unique }: SampleInput): string {
  return id ?? `wamid.${Buffer.from(unique).toString('base64')}`
}

function timestamp({ at }: SampleInput): string {
  return String(secondsOf(at))
}
