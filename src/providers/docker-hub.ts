import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { token } from '../verify/schemes/token.ts'

/** Docker Hub, which signs nothing. The secret is one of your own, put into the webhook's address as `?token=…`. https://docs.docker.com/docker-hub/repos/manage/webhooks/ */
export const dockerHub: (options: ProviderOptions) => Provider = defineProvider({
  name: 'docker-hub',
  title: 'Docker Hub',
  documentation: 'https://docs.docker.com/docker-hub/repos/manage/webhooks/',
  scheme: token({ query: 'token' }),
  idField: 'the body fields "repository.repo_name", "push_data.tag" and "push_data.pushed_at"',
  isIdSigned: false,
  reads: ['repository.repo_name', 'push_data.tag', 'push_data.pushed_at'],
  identify: ({ document }) => {
    const [repository, tag, pushedAt] = ['repository.repo_name', 'push_data.tag', 'push_data.pushed_at'].map((path) =>
      field(document, path),
    )
    return {
      id: compositeId([repository, tag, pushedAt]),
      type: 'push',
      objectId: repository,
      occurredAt: fromUnixSeconds(pushedAt),
    }
  },
  confidence: 'documents',
  uncertain: ['whether it tries again'],
  weaknesses: ['Nothing is signed, and the secret stands in the address, which ends up in logs.'],
  surprises: [
    'There is no secret in its settings. Put a random token into the address yourself; the address may have 255 characters.',
    'The field callback_url is left over from the past: nothing has to be called.',
  ],
  // Nothing says that it would send an event again.
  isFailureRetried: false,
  compose: ({ id, payload }, at) => {
    const repository = id ?? `acme/${freshId('web-')}`
    return jsonEvent(
      payload ?? {
        push_data: { pushed_at: unixSeconds(at), pusher: 'acme', tag: 'latest' },
        repository: { repo_name: repository, name: repository.split('/')[1], namespace: 'acme', status: 'Active' },
      },
    )
  },
})
