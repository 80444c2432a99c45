import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

/** Events of Mailgun. */
export const samples: ProviderSamples = {
  delivered: (input) =>
    event(input, 'delivered', { 'delivery-status': { code: 250, message: 'OK', 'attempt-no': 1, tls: true } }),
  failed: (input) =>
    event(input, 'failed', {
      severity: 'permanent',
      reason: 'suppress-bounce',
      'delivery-status': { code: 605, description: 'Not delivering to previously bounced address', 'attempt-no': 1 },
    }),
  opened: (input) => event(input, 'opened', { ip: '203.0.113.7', geolocation: { country: 'DE', city: 'Köln' } }),
}

function event({ id, at, unique }: SampleInput, type: string, details: Readonly<Record<string, unknown>>): EventToSign {
  const message = {
    headers: {
      to: 'Jenny <jenny@example.com>',
      'message-id': `20261115120000.${unique}@mg.example.com`,
      from: 'Acme <hello@mg.example.com>',
      subject: 'Ihre Bestellung Nr. 1001',
    },
    size: 1024,
  }
  return {
    ...(id === undefined ? {} : { id }),
    type,
    payload: {
      signature: { token: unique.padEnd(50, '0'), timestamp: String(secondsOf(at)), signature: '' },
      'event-data': {
        event: type,
        id: Buffer.from(unique, 'hex').toString('base64url'),
        timestamp: at.getTime() / 1000,
        message,
        recipient: 'jenny@example.com',
        tags: ['receipts'],
        ...details,
      },
    },
  }
}
