import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { idText } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { pairs } from '../verify/schemes/signature-format.ts'

/** Sanity's GROQ webhooks. The secret is the webhook's. https://www.sanity.io/docs/webhooks */
export const sanity: (options: ProviderOptions) => Provider = defineProvider({
  name: 'sanity',
  title: 'Sanity (GROQ webhooks)',
  documentation: 'https://www.sanity.io/docs/webhooks',
  scheme: signature({
    header: 'sanity-webhook-signature',
    format: pairs({
      algorithm: hmac('sha256'),
      encoding: 'base64url',
      separator: ',',
      timestamp: 't',
      signature: 'v1',
    }),
    over: '{timestamp}.{body}',
    timestampUnit: 'milliseconds',
    // Its own library sets no limit. The last retry comes after a minute, and nobody says whether it has a new timestamp.
    toleranceSeconds: 300,
  }),
  idField: 'the header idempotency-key',
  isIdSigned: false,
  methods: ['POST', 'PUT', 'PATCH'],
  // A projection may leave anything out of the body, so the type is the operation; older hooks send none.
  reads: ['_id', '_updatedAt'],
  identify: ({ headers, document }) => ({
    id: headers.get('idempotency-key'),
    type: headers.get('sanity-operation') ?? 'change',
    objectId: field(document, '_id') ?? headers.get('sanity-document-id'),
    occurredAt: fromDateText(field(document, '_updatedAt')),
  }),
  // Only 429 and 5xx are sent again, so a wrong secret or clock of ours must not be answered with 401.
  refusalStatus: { forged: 503 },
  confidence: 'executed',
  uncertain: [
    'the headers idempotency-key and sanity-operation (seen in receivers of others)',
    'how long it waits for an answer',
  ],
  surprises: [
    'There are no event types: a filter chooses the changes, a projection makes the body. The operation (create, update, delete) is in a header.',
    'Its own library takes a signature of any age.',
    'Drafts change with every keystroke: leave them out unless you need them.',
  ],
  retryHours: 0.017,
  retrySchedule: 'two more times, 30 seconds apart, after a 429 or a 5xx',
  sending: { pausesSeconds: [30, 30], retriedStatuses: [429, '5xx'] },
  compose: ({ id = freshUuid(), type = 'update', payload }, at) => {
    const document = freshUuid()
    return jsonEvent(
      payload ?? { _id: document, _type: 'post', _rev: freshId(), _updatedAt: at.toISOString(), title: 'Hello' },
      {
        'idempotency-key': id,
        'sanity-operation': type,
        'sanity-document-id': idText(field(payload, '_id')) ?? document,
        'sanity-project-id': 'zp7mbokg',
        'sanity-dataset': 'production',
      },
    )
  },
})
