import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Jira Cloud admin webhooks. The secret is the webhook's. https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
export const jira: (options: ProviderOptions) => Provider = defineProvider({
  name: 'jira',
  title: 'Jira Cloud',
  documentation: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
  scheme: signature({
    header: 'x-hub-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'sha256=' }),
  }),
  idField: 'the header x-atlassian-webhook-identifier',
  isIdSigned: false,
  reads: ['webhookEvent', 'issue.id', 'timestamp'],
  identify: ({ headers, document }) => ({
    id: headers.get('x-atlassian-webhook-identifier'),
    type: field(document, 'webhookEvent'),
    objectId: field(document, 'issue.id'),
    occurredAt: fromUnixMilliseconds(field(document, 'timestamp')),
  }),
  // A 401 is not sent again, and then a wrong secret of ours would cost the event.
  refusalStatus: { forged: 503 },
  // Success is 200 or 204.
  answer: () => ({ status: 200 }),
  successStatus: '200 or 204',
  confidence: 'documents',
  uncertain: ['how it signs (second-hand)', 'how often it tries again', 'how long it waits for an answer'],
  surprises: [
    'It signs only if the webhook has a secret. Connect apps get a JSON Web Token instead, which is not what this reads.',
    'What a bulk change or a deletion brings along may come a quarter of an hour later than the change itself.',
  ],
  retryHours: 0.5,
  retrySchedule:
    'after 408, 409, 425, 429, any 5xx and failed or timed-out connections; the header x-atlassian-webhook-retry counts',
  sending: { successes: [200, 204], retriedStatuses: [408, 409, 425, 429, '5xx'] },
  compose: ({ id = freshUuid(), type, payload }, at) =>
    jsonEvent(
      {
        timestamp: at.getTime(),
        issue_event_type_name: 'issue_generic',
        issue: { id: '99291', key: 'JRA-20002', fields: { summary: 'The total is wrong', labels: ['UI'] } },
        ...payload,
        webhookEvent: type ?? payload?.webhookEvent ?? 'jira:issue_updated',
      },
      { 'x-atlassian-webhook-identifier': id, 'x-atlassian-webhook-flow': 'Primary' },
    ),
})
