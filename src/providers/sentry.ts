import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Sentry's integration platform. The secret is the integration's client secret. https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
export const sentry: (options: ProviderOptions) => Provider = defineProvider({
  name: 'sentry',
  title: 'Sentry (integration platform)',
  documentation: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
  scheme: signature({
    header: 'sentry-hook-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'the installation, the action and what it is about',
  isIdSigned: true,
  identityAdvice:
    'New issues, errors, alerts and comments are told apart by the installation, the action and their content. ' +
    'Other changes of an issue (resolved, assigned, archived) can come again and look exactly alike, so each delivery of them counts as new: set a state there, add nothing up.',
  identify: (incoming) => {
    const { headers, document } = incoming
    const [resource, action] = [headers.get('sentry-hook-resource'), field(document, 'action')]
    return {
      id: identityOf(incoming),
      type: typeof resource === 'string' && typeof action === 'string' ? `${resource}.${action}` : undefined,
      deliveryId: headers.get('request-id'),
      objectId: objectPaths.map((path) => field(document, path)).find((id) => id !== undefined),
      occurredAt: fromUnixSeconds(headers.get('sentry-hook-timestamp')),
    }
  },
  // A 4xx is never sent again, and then a wrong secret of ours would cost the event.
  refusalStatus: { forged: 503 },
  confidence: 'source',
  uncertain: ['how many attempts there are', 'that everything beyond ASCII is escaped'],
  surprises: [
    'The exact bytes are signed, with everything beyond ASCII escaped. The sample in its documents signs JSON that was written anew, and fails on the first umlaut.',
    'The Request-ID is new for every attempt, and the header with the time is not signed.',
    'It waits one second for an answer.',
  ],
  retryHours: 0.25,
  // Of published integrations; what fails with an internal one is never sent again.
  isFailureRetried: false,
  retrySchedule:
    'every 5 minutes, up to 3 times, but only to published integrations and only after a 5xx or a time-out',
  sending: {
    pausesSeconds: [300, 300, 300],
    retriedStatuses: ['5xx'],
    leftOut: ['Only published integrations are retried.'],
  },
  deadlineSeconds: 1,
  compose: ({ id, type = 'issue.created', payload }, at) => {
    const [resource = '', action = ''] = type.split('.', 2)
    return jsonEvent(
      {
        installation: { uuid: '24b397fc-a86e-43ef-9297-949e21b82480' },
        data: { [resource]: { id: id ?? freshId(), title: 'TypeError: nothing is not a number', level: 'error' } },
        actor: { type: 'application', id: 'sentry', name: 'Sentry' },
        ...payload,
        action: payload?.action ?? action,
      },
      {
        'request-id': freshId(),
        'sentry-hook-resource': resource,
        'sentry-hook-timestamp': String(unixSeconds(at)),
      },
    )
  },
})

const objectPaths = [
  'data.issue.id',
  'data.event.event_id',
  'data.error.event_id',
  'data.metric_alert.id',
  'data.comment_id',
]

/** Made of what is signed. A retry of what is told apart here carries the same data. */
function identityOf({ document, arrivalId }: Incoming): string | undefined {
  const [action, installation, data] = ['action', 'installation.uuid', 'data'].map((path) => field(document, path))
  const issue = field(data, 'issue.id')
  if (data === undefined) return undefined
  if (issue === undefined) return compositeId([installation, action, digestOf(data)])
  // An issue is created only once.
  return action === 'created' ? compositeId([installation, 'issue', action, issue]) : arrivalId
}
