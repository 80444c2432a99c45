import { ed25519 } from '../verify/algorithms/ed25519.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { ed25519PrivateKey, ed25519PublicKey } from '../verify/keys.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Telnyx (API v2). `publicKey` is the one of Mission Control. https://developers.telnyx.com/development/api-fundamentals/webhooks/receiving-webhooks */
export const telnyx: (options: ProviderOptions) => Provider = defineProvider({
  name: 'telnyx',
  title: 'Telnyx (API v2)',
  documentation: 'https://developers.telnyx.com/development/api-fundamentals/webhooks/receiving-webhooks',
  scheme: signature({
    header: 'telnyx-signature-ed25519',
    format: plain({ algorithm: ed25519, encoding: 'base64' }),
    over: '{timestamp}|{body}',
    timestampHeader: 'telnyx-timestamp',
    toleranceSeconds: 300,
    publicKey: ed25519PublicKey(),
    privateKey: ed25519PrivateKey(),
  }),
  idField: 'the body field "data.id"',
  isIdSigned: true,
  reads: ['data.id', 'data.event_type', 'data.payload.id', 'data.payload.call_control_id', 'data.occurred_at'],
  identify: ({ document }) => ({
    id: field(document, 'data.id'),
    type: field(document, 'data.event_type'),
    objectId: field(document, 'data.payload.id') ?? field(document, 'data.payload.call_control_id'),
    occurredAt: fromDateText(field(document, 'data.occurred_at')),
  }),
  order: 'not_guaranteed',
  // The guide says 2xx, the reference of each event 200.
  answer: () => ({ status: 200 }),
  successStatus: '2xx by the guide, 200 by the reference',
  retrySchedule: 'a few times, then at the failover address',
  confidence: 'executed',
  uncertain: ['how long and how often it retries', 'how long it waits for an answer'],
  surprises: [
    'Duplicates are expected, even at the same moment; meta.attempt counts the attempts.',
    'After a failure the same event goes to the failover address: both addresses need to share one inbox.',
  ],
  compose: ({ id, type, payload }, at) => {
    const given = isObject(payload?.data) ? payload.data : {}
    return jsonEvent({
      meta: { attempt: 1 },
      ...payload,
      data: {
        record_type: 'event',
        occurred_at: at.toISOString(),
        payload: { id: freshUuid(), direction: 'inbound', text: 'Hello', from: { phone_number: '+15551234567' } },
        ...given,
        id: id ?? given.id ?? freshUuid(),
        event_type: type ?? given.event_type ?? 'message.received',
      },
    })
  },
})
