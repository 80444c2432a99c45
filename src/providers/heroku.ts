import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Heroku app webhooks. The secret is the one that was given when the webhook was made. https://devcenter.heroku.com/articles/app-webhooks */
export const heroku: (options: ProviderOptions) => Provider = defineProvider({
  name: 'heroku',
  title: 'Heroku app webhooks',
  documentation: 'https://devcenter.heroku.com/articles/app-webhooks',
  scheme: signature({
    header: 'heroku-webhook-hmac-sha256',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
  }),
  idField: 'the body field "webhook_metadata.event.id"',
  isIdSigned: true,
  reads: [
    'webhook_metadata.event.include',
    'action',
    'webhook_metadata.event.id',
    'webhook_metadata.delivery.id',
    'data.id',
    'published_at',
    'created_at',
  ],
  identify: ({ document }) => {
    const [entity, action] = ['webhook_metadata.event.include', 'action'].map((path) => field(document, path))
    return {
      id: field(document, 'webhook_metadata.event.id'),
      type: typeof entity === 'string' && typeof action === 'string' ? `${entity}.${action}` : undefined,
      deliveryId: field(document, 'webhook_metadata.delivery.id'),
      objectId: field(document, 'data.id'),
      occurredAt: fromDateText(field(document, 'published_at')) ?? fromDateText(field(document, 'created_at')),
    }
  },
  confidence: 'documents',
  uncertain: ['how it signs (second-hand)', 'how long it waits for an answer'],
  surprises: [
    'A webhook of the level notify makes one attempt and no more. Only the level sync tries again.',
    'The body names the attempt, the delivery, the event and the webhook, each with an id. The one of the event is the one to go by.',
  ],
  retryHours: 72,
  retrySchedule: 'with the level sync for up to 72 hours; with the level notify never',
  compose: ({ id = freshUuid(), type = 'api:release.create', payload }, at) => {
    const dot = type.lastIndexOf('.')
    const event = { id, include: type.slice(0, dot) }
    return jsonEvent({
      created_at: at.toISOString(),
      published_at: at.toISOString(),
      resource: type.slice(type.indexOf(':') + 1, dot),
      data: { id: freshUuid(), version: 117, status: 'succeeded', app: { id: freshUuid(), name: 'acme-web' } },
      previous_data: {},
      actor: { id: '33500732-3b64-436f-9710-64cc569c3e4f', email: 'dev@example.com' },
      ...payload,
      id,
      action: type.slice(dot + 1),
      webhook_metadata: {
        attempt: { id: freshUuid() },
        delivery: { id: freshUuid() },
        ...(isObject(payload?.webhook_metadata) ? payload.webhook_metadata : {}),
        event,
      },
    })
  },
})
