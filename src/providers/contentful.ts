import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { canonicalRequest } from '../verify/schemes/canonical-request.ts'

/** Contentful. The secret is the space's signing secret of 64 characters; behind a proxy set `publicUrl`. https://www.contentful.com/developers/docs/webhooks/request-verification/ */
export const contentful: (options: ProviderOptions) => Provider = defineProvider({
  name: 'contentful',
  title: 'Contentful (request verification)',
  documentation: 'https://www.contentful.com/developers/docs/webhooks/request-verification/',
  scheme: canonicalRequest({
    header: 'x-contentful-signature',
    signedHeadersHeader: 'x-contentful-signed-headers',
    timestampHeader: 'x-contentful-timestamp',
    toleranceSeconds: 30,
  }),
  idField: 'the header x-contentful-idempotency-key',
  // It is if the sender lists it among the signed headers, which nobody promises.
  isIdSigned: false,
  methods: ['POST', 'PUT', 'PATCH'],
  reads: ['sys.id', 'sys.updatedAt'],
  identify: ({ headers, document }) => ({
    id: headers.get('x-contentful-idempotency-key'),
    type: headers.get('x-contentful-topic'),
    objectId: field(document, 'sys.id'),
    occurredAt: fromDateText(field(document, 'sys.updatedAt')),
  }),
  // Only 429 and 5xx are sent again, so a wrong secret or clock of ours must not be answered with 401.
  refusalStatus: { forged: 503 },
  confidence: 'executed',
  surprises: [
    'Method, path and query are signed too. The query is encoded as one text and then once more together with the path.',
    'A signature is good for 30 seconds: keep the clock of the receiver right, or raise toleranceSeconds.',
    'A time-out is not tried again; only a 429 and a 5xx are.',
    'The idempotency key is promised for very recent webhooks only.',
  ],
  retryHours: 0.017,
  retrySchedule: 'up to two more times, about 30 seconds apart, after a 429 or a 5xx',
  sending: { pausesSeconds: [30, 30], retriedStatuses: [429, '5xx'], isTimeoutRetried: false },
  deadlineSeconds: 30,
  compose: ({ id = freshId(), type = 'ContentManagement.Entry.publish', payload }, at) =>
    jsonEvent(
      payload ?? {
        sys: {
          id: '5KsDBWseXY6QegucYAoacS',
          type: 'Entry',
          createdAt: at.toISOString(),
          updatedAt: at.toISOString(),
          revision: 3,
          space: { sys: { type: 'Link', linkType: 'Space', id: 'cfexampleapi' } },
        },
        fields: { title: { 'en-US': 'Hello' } },
      },
      {
        'content-type': 'application/vnd.contentful.management.v1+json',
        'user-agent': 'contentful-webhook-delivery',
        'x-contentful-topic': type,
        'x-contentful-webhook-name': 'Site',
        'x-contentful-idempotency-key': id,
      },
    ),
})
