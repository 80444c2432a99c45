import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { standardWebhooksScheme } from '../verify/schemes/standard-webhooks.ts'
import { svixDelivery } from '../verify/svix-delivery.ts'

/** Clerk. The secret is the endpoint's signing secret `whsec_…`. https://clerk.com/docs/guides/development/webhooks/overview */
export const clerk: (options: ProviderOptions) => Provider = defineProvider({
  ...svixDelivery,
  name: 'clerk',
  title: 'Clerk',
  documentation: 'https://clerk.com/docs/guides/development/webhooks/overview',
  // Clerk's own library insists on the names of Svix.
  scheme: standardWebhooksScheme({ names: ['svix'] }),
  reads: ['type', 'data.id', 'timestamp'],
  identify: ({ headers, document }) => ({
    id: headers.get('svix-id'),
    type: field(document, 'type'),
    objectId: field(document, 'data.id'),
    occurredAt: fromUnixMilliseconds(field(document, 'timestamp')),
  }),
  confidence: 'executed',
  uncertain: ['for how long a message can be sent again by hand'],
  surprises: ['The id is in the header only: the body has the id of the user or session, not one of the event.'],
  compose: ({ id = freshId('msg_'), type, payload }, at) =>
    jsonEvent(
      {
        data: { id: freshId('user_'), object: 'user', first_name: 'Jenny', last_name: 'Rosen' },
        instance_id: 'ins_2g7np7Hrk0SN6kj5EDMLDaKNL0S',
        object: 'event',
        timestamp: at.getTime(),
        ...payload,
        type: type ?? payload?.type ?? 'user.created',
      },
      { 'svix-id': id },
    ),
})
