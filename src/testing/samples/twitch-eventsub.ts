import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const broadcaster = {
  broadcaster_user_id: '12826',
  broadcaster_user_login: 'twitch',
  broadcaster_user_name: 'Twitch',
}
const user = { user_id: '1337', user_login: 'awesome_user', user_name: 'Awesome_User' }

/** Messages of Twitch. */
export const samples: ProviderSamples = {
  'channel.follow': (input) =>
    message(input, 'channel.follow', { event: { ...user, ...broadcaster, followed_at: input.at.toISOString() } }),
  'stream.online': (input) =>
    message(input, 'stream.online', {
      event: { id: input.unique, ...broadcaster, type: 'live', started_at: input.at.toISOString() },
    }),
  revocation: (input) => message(input, 'channel.follow', {}, 'authorization_revoked'),
}

function message(
  { id, at, unique }: SampleInput,
  type: string,
  content: Readonly<Record<string, unknown>>,
  status = 'enabled',
): EventToSign {
  const subscription = {
    id: 'f1c2a387-161a-49f9-a165-0f21d7a4e1c4',
    status,
    type,
    version: '2',
    cost: 0,
    condition: { broadcaster_user_id: '12826' },
    transport: { method: 'webhook', callback: 'https://hooks.example.com/twitch-eventsub' },
    created_at: at.toISOString(),
  }
  return {
    id: id ?? uuidOf(unique),
    type,
    ...(status === 'enabled' ? {} : { headers: { 'twitch-eventsub-message-type': 'revocation' } }),
    payload: { subscription, ...content },
  }
}
