import { hmac } from '../verify/algorithms/hmac.ts'
import { jsonAnswer } from '../verify/answers.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText, fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import type { Incoming } from '../verify/incoming.ts'
import { base64Secret, type KeyFormat } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { eachOnce } from '../verify/schemes/each-once.ts'
import { type SignatureFormat, versions } from '../verify/schemes/signature-format.ts'
import { standardWebhooksScheme } from '../verify/schemes/standard-webhooks.ts'

/** The secret is written `v1,whsec_…`. */
const hookSecret: KeyFormat = (material) =>
  base64Secret({ prefix: 'whsec_' })(typeof material === 'string' ? material.replace(/^v1,/, '') : material)

const spaced = versions({ algorithms: { v1: hmac('sha256') }, encoding: 'base64' })

/** A comma and a space stand between the signatures, where Standard Webhooks has a space. */
const commaSeparated: SignatureFormat = {
  ...spaced,
  separator: ',',
  read: (text) => spaced.read(text.replaceAll(', ', ' ')),
}

const declared = defineProvider({
  name: 'supabase-auth-hooks',
  title: 'Supabase Auth Hooks (HTTP)',
  documentation: 'https://supabase.com/docs/guides/auth/auth-hooks',
  scheme: standardWebhooksScheme({ secret: hookSecret, format: eachOnce(commaSeparated) }),
  idField: 'the hook and the body field "metadata.uuid"',
  isIdSigned: true,
  identityAdvice:
    'Hooks that send something (an e-mail, a text message) are told apart by "metadata.uuid", or by their whole body where an older version sends none. ' +
    'Hooks that ask for a decision count as new each time, because each attempt needs the decision of your handler as its answer.',
  identify: (incoming) => {
    const { headers, document } = incoming
    const hook = hookOf(document)
    return {
      id: identityOf(hook, incoming),
      type: hook,
      deliveryId: headers.get('webhook-id'),
      objectId: field(document, 'user.id') ?? field(document, 'user_id'),
      occurredAt: fromDateText(field(document, 'metadata.time')) ?? fromUnixSeconds(headers.get('webhook-timestamp')),
    }
  },
  // For what no handler answers. An access token hook then fails, which is better than a token without its claims.
  answer: () => jsonAnswer({}),
  successStatus: '200 or 202 with JSON, or 204',
  confidence: 'source',
  surprises: [
    'A person waits at the other end: the hook runs before the answer (mode "inline"), and what your handler returns as its answer decides what Auth does.',
    'Several signatures have a comma and a space between them, where Standard Webhooks has a space.',
    'The webhook-id is new for every attempt, so it tells no events apart.',
    'A 503 is tried again only if it has a Retry-After header.',
  ],
  retryHours: 0.0014,
  retrySchedule: 'up to three attempts, two seconds apart, all within the same five seconds',
  sending: {
    pausesSeconds: [2, 2],
    successes: [200, 202, 204],
    retriedStatuses: [429, 503],
    leftOut: [
      'All attempts share one budget of five seconds.',
      'Only an answer with a Retry-After is followed by a retry.',
    ],
  },
  deadlineSeconds: 5,
  compose: ({ id, type, payload }, at) =>
    jsonEvent(
      {
        user: { id: '8b7a1b7e-0c6d-4a50-9b0c-1e2a1f6f8b11', email: 'jose@example.org', role: 'authenticated' },
        ...(payload ?? { email_data: { token: '305805', email_action_type: 'signup', site_url: 'http://localhost' } }),
        metadata: {
          uuid: (id === undefined ? undefined : partsOfId(id).at(-1)) ?? freshUuid(),
          time: at.toISOString(),
          name: type ?? hookOf(payload) ?? 'send-email',
        },
      },
      { 'webhook-id': freshUuid() },
    ),
})

/** Supabase Auth Hooks. The secret is the hook's `v1,whsec_…`. Handlers run before the answer unless `mode` says otherwise. https://supabase.com/docs/guides/auth/auth-hooks */
export const supabaseAuthHooks: (options: ProviderOptions) => Provider = (options) =>
  declared({ mode: 'inline', ...options })

/** What each hook is called, and the field by which it is known where it does not say its name. */
const hooks: readonly (readonly [name: string, field: string])[] = [
  ['send-email', 'email_data'],
  ['send-sms', 'sms'],
  ['customize-access-token', 'claims'],
  ['mfa-verification', 'factor_id'],
  ['password-verification', 'valid'],
]

function hookOf(document: unknown): unknown {
  return field(document, 'metadata.name') ?? hooks.find(([, own]) => field(document, own) !== undefined)?.[0]
}

/** These tell something; all others ask for a decision. */
const tellingHooks: readonly unknown[] = ['send-email', 'send-sms', 'after-user-created']

/** The body is written once for all attempts. */
function identityOf(hook: unknown, { document, arrivalId }: Incoming): string | undefined {
  if (!tellingHooks.includes(hook)) return arrivalId
  return compositeId([hook, field(document, 'metadata.uuid') ?? digestOf(document)])
}
