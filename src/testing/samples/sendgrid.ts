import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

/** Events of SendGrid. */
export const samples: ProviderSamples = {
  delivered: (input) =>
    event(input, 'delivered', { response: '250 OK', 'smtp-id': `<${input.unique}@ismtpd-1>`, category: ['receipts'] }),
  bounce: (input) =>
    event(input, 'bounce', {
      type: 'bounce',
      status: '5.1.1',
      reason: '550 5.1.1 No such user',
      bounce_classification: 'Invalid Address',
    }),
  open: (input) => event(input, 'open', { ip: '203.0.113.7', useragent: 'Mozilla/5.0', sg_machine_open: false }),
}

function event({ id, at, unique }: SampleInput, type: string, details: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      email: 'jenny@example.com',
      timestamp: secondsOf(at),
      event: type,
      sg_event_id: id ?? Buffer.from(`event-${unique}`).toString('base64url'),
      sg_message_id: `${unique}.recvd-5f54b5d587-czgls-1`,
      ...details,
    },
  }
}
