import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

/** Events, commands and interactions of Slack. */
export const samples: ProviderSamples = {
  app_mention: (input) =>
    event(input, { type: 'app_mention', text: '<@U0LAN0Z89> is it everything a river should be?' }),
  message: (input) => event(input, { type: 'message', channel_type: 'channel', text: 'Live long & prosper 🖖' }),
  slash_command: ({ id, unique }) =>
    form('slash_command', {
      command: '/weather',
      text: '94070',
      team_id: 'T123ABC456',
      user_id: 'U123ABC456',
      channel_id: 'C123ABC456',
      trigger_id: id ?? `13345224609.738474920.${unique}`,
    }),
  block_actions: ({ id, unique, at }) =>
    form('block_actions', {
      payload: JSON.stringify({
        type: 'block_actions',
        trigger_id: id ?? `13345224609.738474920.${unique}`,
        user: { id: 'U123ABC456' },
        actions: [{ action_id: 'approve', type: 'button', value: 'order-1001', action_ts: `${secondsOf(at)}.000100` }],
      }),
    }),
}

function event({ id, at, unique }: SampleInput, inner: Readonly<Record<string, unknown>>): EventToSign {
  return {
    payload: {
      token: 'unused',
      team_id: 'T123ABC456',
      api_app_id: 'A123ABC456',
      event: { ...inner, user: 'U123ABC456', channel: 'C123ABC456', ts: `${secondsOf(at)}.000200` },
      type: 'event_callback',
      event_id: id ?? `Ev${unique}`,
      event_time: secondsOf(at),
    },
  }
}

function form(type: string, fields: Readonly<Record<string, string>>): EventToSign {
  return {
    type,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields }).toString(),
  }
}
