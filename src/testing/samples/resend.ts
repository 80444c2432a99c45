import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Resend. */
export const samples: ProviderSamples = {
  'email.delivered': (input) => event(input, 'email.delivered', {}),
  'email.bounced': (input) =>
    event(input, 'email.bounced', {
      bounce: { type: 'Permanent', subType: 'General', message: 'The recipient’s mailbox does not exist.' },
    }),
  'email.clicked': (input) =>
    event(input, 'email.clicked', {
      click: { link: 'https://example.com/orders/1001', timestamp: input.at.toISOString(), ipAddress: '203.0.113.7' },
    }),
}

function event({ id, at, unique }: SampleInput, type: string, details: Readonly<Record<string, unknown>>): EventToSign {
  const email = {
    email_id: uuidOf(unique),
    from: 'Acme <hello@example.com>',
    to: ['jenny@example.com'],
    subject: 'Ihre Bestellung Nr. 1001 — Bestätigung',
    created_at: at.toISOString(),
  }
  return {
    id: id ?? `msg_${unique}`,
    type,
    payload: { type, created_at: at.toISOString(), data: { ...email, ...details } },
  }
}
