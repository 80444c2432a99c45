import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Changes of an audience of Mailchimp. */
export const samples: ProviderSamples = {
  subscribe: (input) => event(input, 'subscribe', member(input)),
  unsubscribe: (input) =>
    event(input, 'unsubscribe', { 'data[action]': 'unsub', 'data[reason]': 'manual', ...member(input) }),
  upemail: (input) =>
    event(input, 'upemail', {
      'data[new_id]': input.id ?? input.unique.slice(0, 10),
      'data[new_email]': 'jenny.new@example.com',
      'data[old_email]': 'jenny@example.com',
    }),
}

function member({ id, unique }: SampleInput): Readonly<Record<string, string>> {
  return {
    'data[id]': id ?? unique.slice(0, 10),
    'data[email]': 'jenny@example.com',
    'data[email_type]': 'html',
    'data[ip_opt]': '203.0.113.7',
    'data[merges][EMAIL]': 'jenny@example.com',
    'data[merges][FNAME]': 'Jenny',
  }
}

function event({ at }: SampleInput, type: string, data: Readonly<Record<string, string>>): EventToSign {
  const firedAt = at.toISOString().slice(0, 19).replace('T', ' ')
  return { type, payload: { type, fired_at: firedAt, 'data[list_id]': 'a6b5da1054', ...data } }
}
