import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { standardWebhooksScheme } from '../verify/schemes/standard-webhooks.ts'
import { token } from '../verify/schemes/token.ts'

/** What GitLab can be told beyond the common options. */
export type GitlabOptions = {
  /** What the hook has: a secret token that is sent along, or a signing token that signs. Default: by the secret, which starts with `whsec_` if it signs. */
  readonly proof?: 'token' | 'signature' | undefined
}

/** GitLab project, group and system hooks. The secret is the hook's secret token, or its signing token `whsec_…`. https://docs.gitlab.com/user/project/integrations/webhooks/ */
export const gitlab: (options: ProviderOptions & GitlabOptions) => Provider = defineProvider<GitlabOptions>(
  ({ secret, proof = isSigningToken(secret) ? 'signature' : 'token' }) => {
    const isSigned = proof === 'signature'
    const idHeader = isSigned ? 'webhook-id' : 'idempotency-key'
    return {
      name: 'gitlab',
      title: 'GitLab',
      documentation: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
      scheme: isSigned ? standardWebhooksScheme() : token({ header: 'x-gitlab-token' }),
      idField: `the header ${idHeader}`,
      isIdSigned: isSigned,
      reads: ['object_attributes.id', 'checkout_sha', 'after', 'object_attributes.updated_at'],
      identify: ({ headers, document }) => ({
        id: headers.get(idHeader),
        type: headers.get('x-gitlab-event'),
        deliveryId: headers.get('x-gitlab-webhook-uuid'),
        objectId:
          field(document, 'object_attributes.id') ?? field(document, 'checkout_sha') ?? field(document, 'after'),
        occurredAt: fromDateText(field(document, 'object_attributes.updated_at')),
      }),
      confidence: 'documents',
      uncertain: ['whether it ever repeats a failed delivery by itself', 'which versions have signing tokens'],
      surprises: [
        'A hook with a signing token signs as Standard Webhooks does. Its secret starts with whsec_, and by that the form is chosen: a hook that signs is never believed for a token alone.',
        'The event UUID is shared by everything that one request to GitLab has caused, and the webhook UUID is new for every attempt: only the Idempotency-Key tells events apart.',
        'GitLab before 17.4 sends no Idempotency-Key: give the option "identity" there.',
      ],
      // By its source, an answer that says failure is logged and nothing more.
      isFailureRetried: false,
      retrySchedule:
        'a person can send a logged delivery again, under the same Idempotency-Key. After four failures in a row the hook is switched off for a minute, later for up to a day',
      sending: {
        leftOut: ['After four failures in a row the hook is switched off for a minute, later for up to a day.'],
      },
      deadlineSeconds: 10,
      maximumBodyBytes: 25 * 1024 * 1024,
      ownOptions: {
        proof:
          'what the hook has: "token" or "signature". By default the secret says it: one that starts with whsec_ signs',
      },
      mistakes: proof === 'token' || proof === 'signature' ? [] : ['"proof" must be "token" or "signature".'],
      compose: ({ id = freshUuid(), type = 'Push Hook', payload }) =>
        jsonEvent(payload ?? push, {
          'user-agent': 'GitLab/18.6.0',
          'x-gitlab-event': type,
          'x-gitlab-instance': 'https://gitlab.example.com',
          'x-gitlab-webhook-uuid': freshUuid(),
          'x-gitlab-event-uuid': freshUuid(),
          'idempotency-key': id,
          ...(isSigned ? { 'webhook-id': id } : {}),
        }),
    }
  },
)

function isSigningToken(secret: ProviderOptions['secret']): boolean {
  return [secret].flat().some((text) => typeof text === 'string' && text.startsWith('whsec_'))
}

const push = {
  object_kind: 'push',
  event_name: 'push',
  before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
  after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  ref: 'refs/heads/main',
  checkout_sha: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  user_username: 'jsmith',
  project: { id: 15, name: 'Diaspora', path_with_namespace: 'mike/diaspora', default_branch: 'main' },
  commits: [],
  total_commits_count: 0,
}
