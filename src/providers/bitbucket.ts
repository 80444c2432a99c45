import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Bitbucket Cloud. The secret is the webhook's. https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/ */
export const bitbucket: (options: ProviderOptions) => Provider = defineProvider({
  name: 'bitbucket',
  title: 'Bitbucket Cloud',
  documentation: 'https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/',
  scheme: signature({
    header: 'x-hub-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'sha256=' }),
  }),
  idField: 'the header x-request-uuid',
  isIdSigned: false,
  reads: ['pullrequest.id', 'repository.uuid'],
  identify: ({ headers, document }) => ({
    id: headers.get('x-request-uuid'),
    type: headers.get('x-event-key'),
    objectId: field(document, 'pullrequest.id') ?? field(document, 'repository.uuid'),
  }),
  // Nothing but a 5xx is sent again, so a wrong secret of ours must not be answered with less.
  refusalStatus: { forged: 503 },
  confidence: 'documents',
  uncertain: ['whether the request UUID stays the same over attempts', 'how it signs (second-hand)'],
  surprises: [
    'The header has the name that GitHub uses for SHA-1, but SHA-256 is in it.',
    'A payload above 256 KB may not be sent at all, and nobody is told.',
    'The hook UUID names the hook, not the event.',
  ],
  retryHours: 0,
  retrySchedule: 'only a 5xx brings up to two more attempts, practically at once: too soon to be counted on',
  sending: {
    pausesSeconds: [0, 0],
    retriedStatuses: ['5xx'],
    isTimeoutRetried: false,
    isConnectionFailureRetried: false,
  },
  successStatus: '2xx; only a 5xx is sent again',
  deadlineSeconds: 10,
  compose: ({ id = freshUuid(), type = 'repo:push', payload }) =>
    jsonEvent(
      payload ?? {
        push: { changes: [{ new: { type: 'branch', name: 'main' }, created: false, closed: false, forced: false }] },
        repository: {
          type: 'repository',
          full_name: 'acme/web',
          uuid: '{673a6070-3421-46c9-9d48-90745f7bfe8e}',
        },
        actor: { type: 'user', nickname: 'emile', uuid: '{d301aafa-d676-4ee0-88be-962be7417567}' },
      },
      {
        'user-agent': 'Bitbucket-Webhooks/2.0',
        'x-event-key': type,
        'x-hook-uuid': 'c7d8a4b1-6f1e-4b55-9d0e-6a1f2c3b4d5e',
        'x-request-uuid': id,
        'x-attempt-number': '1',
      },
    ),
})
