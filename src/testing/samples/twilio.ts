import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

const account = { ApiVersion: '2010-04-01', AccountSid: 'AC00000000000000000000000000000000' }

/** Callbacks of Twilio. */
export const samples: ProviderSamples = {
  'message.delivered': (input) => status(input, 'delivered'),
  'message.sent': (input) => status(input, 'sent'),
  'message.received': (input) => ({
    type: 'message.received',
    payload: {
      ...account,
      MessageSid: sid(input, 'SM'),
      SmsStatus: 'received',
      From: '+15551234567',
      To: '+15558675310',
      Body: 'Grüße & bis später',
    },
  }),
  'call.completed': (input) => ({
    type: 'call.completed',
    payload: {
      ...account,
      CallSid: sid(input, 'CA'),
      CallStatus: 'completed',
      CallDuration: '37',
      SequenceNumber: '3',
      Timestamp: input.at.toUTCString(),
      From: '+15551234567',
      To: '+15558675310',
    },
  }),
}

function status(input: SampleInput, value: string): EventToSign {
  const payload = {
    ...account,
    MessageSid: sid(input, 'SM'),
    SmsStatus: value,
    MessageStatus: value,
    From: '+15551234567',
    To: '+15558675310',
  }
  return { type: `message.${value}`, payload }
}

/** A given id may be the event's (with its status) or the message's. */
function sid({ id, unique }: SampleInput, prefix: string): string {
  return id?.split(':', 1)[0] ?? prefix + unique.padEnd(32, '0')
}
