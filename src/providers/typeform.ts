import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Typeform responses. The secret is the one that was set for the webhook. https://www.typeform.com/developers/webhooks/secure-your-webhooks/ */
export const typeform: (options: ProviderOptions) => Provider = defineProvider({
  name: 'typeform',
  title: 'Typeform',
  documentation: 'https://www.typeform.com/developers/webhooks/secure-your-webhooks/',
  scheme: signature({
    header: 'typeform-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64', prefix: 'sha256=' }),
  }),
  idField: 'the body field "event_id"',
  isIdSigned: true,
  confidence: 'documents',
  uncertain: ['whether a retry keeps its event_id, which nobody says'],
  surprises: [
    'The prefix is sha256=, but base64 follows it, not hex.',
    'An answer of 404 or 410 switches the webhook off at once, so check the address before you save it.',
  ],
  reads: ['event_id', 'event_type', 'form_response.token', 'form_response.submitted_at'],
  identify: ({ document }) => ({
    id: field(document, 'event_id'),
    type: field(document, 'event_type'),
    objectId: field(document, 'form_response.token'),
    occurredAt: fromDateText(field(document, 'form_response.submitted_at')),
  }),
  retryHours: 10,
  retrySchedule:
    'every 2 to 3 minutes for 10 hours after 408, 423, 429 and 503; a few times with growing pauses after other errors; never after 404 and 410',
  sending: {
    thenEverySeconds: 150,
    finalStatuses: [404, 410],
    leftOut: ['Only 408, 423, 429 and 503 are followed for ten hours, other failures only a few times.'],
  },
  deadlineSeconds: 30,
  // 503 is retried for ten hours, 401 only a few times: a wrong secret of ours must not cost responses.
  refusalStatus: { forged: 503 },
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      form_response: {
        form_id: 'lT4Z3j',
        token: freshId(),
        landed_at: at.toISOString(),
        submitted_at: at.toISOString(),
        definition: {
          id: 'lT4Z3j',
          title: 'Feedback',
          fields: [{ id: 'DlXFaesGBpoF', ref: 'opinion', type: 'long_text', title: 'What do you think?' }],
        },
        answers: [
          { type: 'text', text: 'Well done', field: { id: 'DlXFaesGBpoF', ref: 'opinion', type: 'long_text' } },
        ],
      },
      ...payload,
      event_id: id ?? payload?.event_id ?? freshId('01'),
      event_type: type ?? payload?.event_type ?? 'form_response',
    }),
})
