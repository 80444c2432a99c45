import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const ends = { From: '15551234567', To: '15558675310' }

/** Callbacks of Plivo. */
export const samples: ProviderSamples = {
  'call.Hangup': (input) =>
    call(input, 'Hangup', { CallStatus: 'completed', Duration: '37', HangupCauseName: 'Normal Hangup' }),
  'call.StartApp': (input) => call(input, 'StartApp', { CallStatus: 'in-progress', Direction: 'inbound' }),
  'message.delivered': (input) => message(input, { Status: 'delivered', Units: '1', TotalAmount: '0.0055' }),
  'message.received': (input) => message(input, { Type: 'sms', Text: 'Grüße & bis später' }),
}

function call(input: SampleInput, event: string, details: Readonly<Record<string, string>>): EventToSign {
  return { type: `call.${event}`, payload: { ...ends, CallUUID: uuid(input), Event: event, ...details } }
}

function message(input: SampleInput, details: Readonly<Record<string, string>>): EventToSign {
  return { type: `message.${details.Status ?? 'received'}`, payload: { ...ends, MessageUUID: uuid(input), ...details } }
}

/** A given id may be the event's (with its status) or the message's. */
function uuid({ id, unique }: SampleInput): string {
  return id?.split(':', 1)[0] ?? uuidOf(unique)
}
