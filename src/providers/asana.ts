import type { Delivery } from '../delivery/delivery.ts'
import { hmac } from '../verify/algorithms/hmac.ts'
import { isSameText } from '../verify/bytes.ts'
import { freshNumber, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { field, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { Handshake, HandshakeAnswer, HandshakeKeys } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** What Asana can be told beyond the common options. */
export type AsanaOptions = {
  /**
   * Takes the secret that Asana sends, once, while a webhook is being made, and stores it for `secret` to find.
   * Nothing proves that it is Asana who sends it, and whoever gets a secret of theirs stored can sign events: say true only while a
   * webhook of your own is being made, for an address that nobody else knows (such as one with a random part).
   */
  readonly onHookSecret?: ((unverified: UnverifiedHookSecret) => boolean | Promise<boolean>) | undefined
}

/** What came as a new secret, from whomever. */
export type UnverifiedHookSecret = { readonly secret: string; readonly delivery: Delivery }

/** Asana. The secret is the `X-Hook-Secret` of the handshake, one for each webhook. https://developers.asana.com/docs/webhooks-guide */
export const asana: (options: ProviderOptions & AsanaOptions) => Provider = defineProvider<AsanaOptions>(
  ({ onHookSecret }) => ({
    name: 'asana',
    title: 'Asana',
    documentation: 'https://developers.asana.com/docs/webhooks-guide',
    scheme: signature({
      header: 'x-hook-signature',
      format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
    }),
    idField: 'resource.gid, action, created_at, user.gid, parent.gid and change of each element of "events"',
    isIdSigned: true,
    isBatch: true,
    identify: ({ document }) => listAt(document, 'events').map(eventOf),
    handshakes: {
      before_verification: takeSecret(onHookSecret),
      after_verification: emptyBatch((document) => field(document, 'events')),
    },
    handshakeGuide:
      'A POST with the header X-Hook-Secret while a webhook is being made. It is given back, which makes the webhook, ' +
      'if "secret" holds it already or "onHookSecret" takes it.',
    // Asana takes nothing but 200 and 204 for success.
    answer: () => ({ status: 200 }),
    successStatus: '200 or 204',
    confidence: 'documents',
    surprises: [
      'The secret is sent once, inside the very request that makes the webhook, and the call that makes it waits for the answer.',
      'Events have no ids.',
      'An empty list of events comes from time to time as a sign of life.',
      'Asana promises to deliver at most once: in rare cases an event is lost, so read the resource again from time to time.',
    ],
    retryHours: 24,
    retrySchedule: 'With growing pauses; after 24 hours without success the webhook is deleted',
    sending: { successes: [200, 204], switchedOffAfterLostEvents: 1 },
    deadlineSeconds: 10,
    ownOptions: {
      onHookSecret:
        'takes the unverified secret of a new webhook: store it and say true, but only while you are making that webhook',
    },
    mistakes: ['undefined', 'function'].includes(typeof onHookSecret) ? [] : ['"onHookSecret" must be a function.'],
    compose: ({ id, type = 'task.changed', payload }, at) => {
      const [resourceType = 'task', action = 'changed'] = type.split('.')
      const resource = { gid: id ?? String(freshNumber()), resource_type: resourceType }
      const change = action === 'changed' ? { change: { field: 'name', action: 'changed' } } : {}
      const user = { gid: '1123', resource_type: 'user' }
      const event = { user, created_at: at.toISOString(), action, resource, parent: null, ...change }
      return jsonEvent(payload ?? { events: [event] })
    },
  }),
)

/** Several changes of one task can have one time, so what was changed is part of the identity. */
function eventOf(event: unknown, index: number): ClaimedEvent {
  const createdAt = field(event, 'created_at')
  const [type, action] = [field(event, 'resource.resource_type'), field(event, 'action')]
  return {
    id: compositeId([
      field(event, 'resource.gid'),
      action,
      createdAt,
      field(event, 'user.gid') ?? '-',
      field(event, 'parent.gid') ?? '-',
      digestOf(field(event, 'change') ?? null),
    ]),
    type: typeof type === 'string' && typeof action === 'string' ? `${type}.${action}` : undefined,
    objectId: field(event, 'resource.gid'),
    occurredAt: fromDateText(createdAt),
    part: `/events/${index}`,
  }
}

/** Giving a secret back makes the webhook, so it is given back only if it is known already or somebody takes it. */
function takeSecret(onHookSecret: AsanaOptions['onHookSecret']): Handshake {
  const answer = async (secret: string, delivery: Delivery, keys: HandshakeKeys): Promise<HandshakeAnswer> => {
    const isKnown = (await keys()).some((key) => isSameText(secret, key.export().toString('utf8')))
    return isKnown || (await onHookSecret?.({ secret, delivery })) === true
      ? { status: 200, headers: { 'x-hook-secret': secret } }
      : { kind: 'malformed', detail: 'The secret of this handshake is not expected here (see "onHookSecret").' }
  }
  return ({ delivery, headers }, keys) => {
    const secret = headers.get('x-hook-secret') ?? ''
    return secret === '' || delivery.headers.has('x-hook-signature') ? undefined : answer(secret, delivery, keys)
  }
}
