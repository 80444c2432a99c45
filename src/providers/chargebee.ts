import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { basicAuth } from '../verify/schemes/basic-auth.ts'

/** Chargebee. The secret is `user:password` of the webhook's basic authentication. https://www.chargebee.com/docs/2.0/webhook_settings.html */
export const chargebee: (options: ProviderOptions) => Provider = defineProvider({
  name: 'chargebee',
  title: 'Chargebee',
  documentation: 'https://www.chargebee.com/docs/2.0/webhook_settings.html',
  scheme: basicAuth(),
  idField: 'the body field "id"',
  isIdSigned: false,
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'event_type'),
    objectId: objectIdOf(document),
    occurredAt: fromUnixSeconds(field(document, 'occurred_at')),
  }),
  order: 'not_guaranteed',
  confidence: 'executed',
  uncertain: ['its deadline', 'when exactly it tries again'],
  surprises: [
    'Basic authentication is optional in its settings: switch it on.',
    'Of two states of one object the newer one has the larger "resource_version".',
  ],
  retryHours: 72,
  retrySchedule: 'up to 7 times within about three days',
  sending: { pausesSeconds: [120, 360, 1_800, 3_600, 18_000, 86_400, 172_800], isSecondHand: true },
  // Its pages disagree on whether any 2xx will do.
  successStatus: '200',
  answer: () => ({ status: 200 }),
  compose: ({ id, type, payload }, at) =>
    jsonEvent(
      {
        occurred_at: unixSeconds(at),
        source: 'admin_console',
        object: 'event',
        api_version: 'v2',
        content: { subscription: { id: freshId(), status: 'active', currency_code: 'EUR', object: 'subscription' } },
        webhook_status: 'scheduled',
        ...payload,
        id: id ?? payload?.id ?? freshId('ev_'),
        event_type: type ?? payload?.event_type ?? 'subscription_created',
      },
      { 'user-agent': 'ChargeBee' },
    ),
})

/** The content holds everything that belongs to an event. What it is about is named first in its type: `subscription_created`. */
function objectIdOf(document: unknown): unknown {
  const [content, type] = [field(document, 'content'), field(document, 'event_type')]
  if (!isObject(content) || typeof type !== 'string') return undefined
  const name = Object.keys(content).find((member) => type.startsWith(`${member}_`))
  return name === undefined ? undefined : field(content[name], 'id')
}
