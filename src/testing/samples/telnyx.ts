import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Telnyx. */
export const samples: ProviderSamples = {
  'message.received': (input) =>
    event(input, 'message.received', {
      record_type: 'message',
      id: `m-${input.unique}`,
      direction: 'inbound',
      type: 'SMS',
      from: { phone_number: '+15551234567', carrier: 'T-Mobile USA', line_type: 'Wireless' },
      to: [{ phone_number: '+15558675310', status: 'webhook_delivered' }],
      text: 'Grüße & bis später',
    }),
  'message.finalized': (input) =>
    event(input, 'message.finalized', {
      record_type: 'message',
      id: `m-${input.unique}`,
      direction: 'outbound',
      to: [{ phone_number: '+15551234567', status: 'delivered' }],
      errors: [],
    }),
  'call.hangup': (input) =>
    event(input, 'call.hangup', {
      call_control_id: `v3:${input.unique}`,
      call_leg_id: '428c31b6-7af4-4bcb-b7f5-5013ef9657c1',
      hangup_cause: 'normal_clearing',
      hangup_source: 'caller',
      from: '+15551234567',
      to: '+15558675310',
    }),
}

function event({ id, at, unique }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  const data = {
    record_type: 'event',
    id: id ?? uuidOf(unique),
    event_type: type,
    occurred_at: at.toISOString(),
    payload,
  }
  return { payload: { data, meta: { attempt: 1, delivered_to: 'https://hooks.example.com/telnyx' } } }
}
