import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of Zoom. */
export const samples: ProviderSamples = {
  'meeting.participant_joined': (input) =>
    event(input, 'meeting.participant_joined', {
      participant: {
        user_id: '16778240',
        user_name: 'Jill Chill',
        participant_uuid: `P${input.unique}`,
        join_time: input.at.toISOString(),
        email: 'jill@example.com',
      },
    }),
  'meeting.started': (input) => event(input, 'meeting.started', { type: 2, start_time: input.at.toISOString() }),
  'recording.completed': (input) =>
    event(input, 'recording.completed', {
      duration: 42,
      recording_files: [{ id: `r-${input.unique}`, file_type: 'MP4', status: 'completed' }],
    }),
}

function event({ id, at, unique }: SampleInput, type: string, details: Readonly<Record<string, unknown>>): EventToSign {
  const meeting = { id: '1234567890', host_id: 'x1yCzABCDEfg23HiJKl4mN', topic: 'Wöchentliches Treffen' }
  return {
    type,
    payload: {
      event: type,
      payload: { account_id: 'AAAAAABBBB', object: { uuid: id ?? `${unique}==`, ...meeting, ...details } },
      event_ts: at.getTime(),
    },
  }
}
