import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf, uuidOf } from './sample.ts'

/** Notifications of Intercom. */
export const samples: ProviderSamples = {
  'conversation.user.created': (input) =>
    event(input, 'conversation.user.created', {
      type: 'conversation',
      id: input.unique.slice(0, 12),
      created_at: secondsOf(input.at),
      source: { type: 'conversation', body: '<p>Where is my parcel?</p>', author: { type: 'user', name: 'Zoë' } },
    }),
  'conversation.admin.replied': (input) =>
    event(input, 'conversation.admin.replied', {
      type: 'conversation',
      id: input.unique.slice(0, 12),
      updated_at: secondsOf(input.at),
      conversation_parts: { type: 'conversation_part.list', total_count: 1 },
    }),
  'contact.user.created': (input) =>
    event(input, 'contact.user.created', {
      type: 'contact',
      id: input.unique,
      role: 'user',
      email: 'jenny@example.com',
    }),
}

function event({ id, at, unique }: SampleInput, topic: string, item: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type: topic,
    payload: {
      type: 'notification_event',
      app_id: 'a86dr8yl',
      data: { type: 'notification_event_data', item },
      links: {},
      id: id ?? `notif_${uuidOf(unique)}`,
      topic,
      delivery_status: 'pending',
      delivery_attempts: 1,
      delivered_at: 0,
      first_sent_at: secondsOf(at),
      created_at: secondsOf(at),
      self: null,
    },
  }
}
