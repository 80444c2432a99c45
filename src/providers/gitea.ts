import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { overFormField } from '../verify/schemes/form-field.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Gitea. The secret is the webhook's. https://docs.gitea.com/usage/webhooks */
export const gitea: (options: ProviderOptions) => Provider = defineProvider({
  name: 'gitea',
  title: 'Gitea',
  documentation: 'https://docs.gitea.com/usage/webhooks',
  scheme: overFormField(
    'payload',
    signature({ header: 'x-gitea-signature', format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }) }),
  ),
  documentField: 'payload',
  idField: 'the header x-gitea-delivery',
  isIdSigned: false,
  reads: ['repository.id'],
  identify: ({ headers, document }) => ({
    id: headers.get('x-gitea-delivery'),
    type: headers.get('x-gitea-event'),
    objectId: field(document, 'repository.id'),
  }),
  confidence: 'source',
  surprises: [
    'A hook of the form content type signs the JSON inside payload=, not the form that is sent.',
    'A hook without a secret still sends the header, with nothing in it. Such a delivery is refused.',
    'A delivery that is replayed by hand gets a new id, so it counts as a new event.',
  ],
  retryHours: 0,
  retrySchedule: 'what was not yet sent when Gitea stopped is sent when it starts again',
  deadlineSeconds: 5,
  compose: ({ id = freshUuid(), type = 'push', payload }) =>
    jsonEvent(
      payload ?? {
        ref: 'refs/heads/develop',
        before: '28e1879d029cb852e4844d9c718537df08844e03',
        after: 'bffeb74224043ba2feb48d137756c8a9331c449a',
        repository: { id: 140, name: 'webhooks', full_name: 'acme/webhooks' },
        pusher: { id: 1, login: 'gitea' },
      },
      {
        'user-agent': 'Go-http-client/1.1',
        'x-gitea-delivery': id,
        'x-gitea-event': type,
        'x-gitea-event-type': type,
      },
    ),
})
