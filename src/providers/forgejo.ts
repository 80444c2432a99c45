import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { overFormField } from '../verify/schemes/form-field.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Forgejo, and Codeberg which runs it. The secret is the webhook's. https://forgejo.org/docs/latest/user/webhooks/ */
export const forgejo: (options: ProviderOptions) => Provider = defineProvider({
  name: 'forgejo',
  title: 'Forgejo',
  documentation: 'https://forgejo.org/docs/latest/user/webhooks/',
  scheme: overFormField(
    'payload',
    signature({
      header: ['x-forgejo-signature', 'x-gitea-signature'],
      format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
    }),
  ),
  documentField: 'payload',
  idField: 'the header x-forgejo-delivery',
  isIdSigned: false,
  reads: ['repository.id'],
  identify: ({ headers, document }) => ({
    id: headers.get('x-forgejo-delivery') ?? headers.get('x-gitea-delivery'),
    type: headers.get('x-forgejo-event') ?? headers.get('x-gitea-event'),
    objectId: field(document, 'repository.id'),
  }),
  confidence: 'unsure',
  uncertain: [
    'how it signs (second-hand)',
    'that a form is signed as in Gitea, by the JSON inside payload=',
    'retries and the deadline, which are taken over from Gitea',
  ],
  surprises: [
    'It sends the headers of Gitea too. A wrong x-forgejo-signature is not made good by a right x-gitea-signature.',
  ],
  // Not said to be 0: nobody checked that it never tries again.
  isFailureRetried: false,
  deadlineSeconds: 5,
  compose: ({ id = freshUuid(), type = 'push', payload }) =>
    jsonEvent(
      payload ?? {
        ref: 'refs/heads/develop',
        before: '28e1879d029cb852e4844d9c718537df08844e03',
        after: 'bffeb74224043ba2feb48d137756c8a9331c449a',
        repository: { id: 140, name: 'webhooks', full_name: 'acme/webhooks' },
        pusher: { id: 1, login: 'forgejo' },
      },
      {
        'user-agent': 'Go-http-client/2.0',
        'x-forgejo-delivery': id,
        'x-forgejo-event': type,
        'x-forgejo-event-type': type,
        'x-gitea-delivery': id,
        'x-gitea-event': type,
      },
    ),
})
