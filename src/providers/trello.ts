import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Trello. The secret is the application's OAuth 1.0 secret; behind a proxy set `publicUrl` to the registered callback URL. https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/ */
export const trello: (options: ProviderOptions) => Provider = defineProvider({
  name: 'trello',
  title: 'Trello',
  documentation: 'https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/',
  scheme: signature({
    header: 'x-trello-webhook',
    format: plain({ algorithm: hmac('sha1'), encoding: 'base64' }),
    over: '{body}{url}',
  }),
  idField: 'the body fields "webhook.id" (or "model.id") and "action.id"',
  isIdSigned: true,
  // One action reaches every webhook whose model it touches, each with the same action id.
  reads: ['webhook.id', 'model.id', 'action.id', 'action.type', 'action.date'],
  identify: ({ document }) => ({
    id: compositeId([field(document, 'webhook.id') ?? field(document, 'model.id'), field(document, 'action.id')]),
    type: field(document, 'action.type'),
    objectId: field(document, 'model.id'),
    occurredAt: fromDateText(field(document, 'action.date')),
  }),
  methods: ['POST', 'HEAD'],
  handshakes: { before_verification: ({ delivery }) => (delivery.method === 'HEAD' ? { status: 200 } : undefined) },
  handshakeGuide: 'A HEAD when the webhook is made; it has to be answered 200, so HEAD has to reach this address too.',
  answer: () => ({ status: 200 }),
  successStatus: '200',
  sending: { successes: [200] },
  confidence: 'documents',
  uncertain: ['how it signs (second-hand)', 'how long it tries again', 'how long it waits for an answer'],
  surprises: [
    'The callback URL is signed exactly as it was registered, query included: a proxy that changes it breaks every signature.',
    'One action comes once for each webhook that it touches.',
  ],
  compose: ({ id, type, payload }, at) => {
    const [webhook = '5a2b1f5d3c4e5f6a7b8c9d0e', action = id] = id?.includes(':') === true ? partsOfId(id) : []
    const board = { id: '4d5ea62fd76aa1136000000c', name: 'Roadmap' }
    return jsonEvent({
      model: board,
      webhook: { id: webhook, idModel: board.id, active: true },
      ...payload,
      action: {
        date: at.toISOString(),
        data: { card: { id: freshId(), name: 'Größe des Logos' }, board },
        ...(field(payload, 'action') as object | undefined),
        id: action ?? field(payload, 'action.id') ?? freshId(),
        type: type ?? field(payload, 'action.type') ?? 'updateCard',
      },
    })
  },
})
