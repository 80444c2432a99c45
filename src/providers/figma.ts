import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { bodyToken } from '../verify/schemes/body-token.ts'

/** Figma webhooks, version 2. The secret is the `passcode` of the call that made the webhook. https://developers.figma.com/docs/rest-api/webhooks */
export const figma: (options: ProviderOptions) => Provider = defineProvider({
  name: 'figma',
  title: 'Figma',
  documentation: 'https://developers.figma.com/docs/rest-api/webhooks',
  scheme: bodyToken({ field: 'passcode' }),
  idField: 'webhook_id, event_type, timestamp and what the event says',
  isIdSigned: false,
  identify: ({ document }) => ({
    id: compositeId([
      field(document, 'webhook_id'),
      field(document, 'event_type'),
      field(document, 'timestamp'),
      digestOf(contentOf(document)),
    ]),
    type: field(document, 'event_type'),
    objectId: field(document, 'file_key'),
    occurredAt: fromDateText(field(document, 'timestamp')),
  }),
  handshakes: {
    after_verification: ({ document }) => (field(document, 'event_type') === 'PING' ? { status: 200 } : undefined),
  },
  handshakeGuide: 'A PING event when the webhook is made, unless it is made paused',
  answer: () => ({ status: 200 }),
  successStatus: '200',
  sending: { successes: [200] },
  // Figma stops a webhook for good when it is answered 400: a wrong passcode of ours must not do that, nor a body we cannot read.
  refusalStatus: { forged: 503, malformed: 503 },
  confidence: 'documents',
  uncertain: ['how often and how long it tries again', 'the field "retries" of its payloads (remembered)'],
  weaknesses: ['The passcode is part of every body, so it is also stored with every body.'],
  surprises: [
    'Figma asks for a 400 when the passcode is wrong, and then stops the webhook at once. Oncehook answers 503 instead, so that a passcode mistyped here costs nothing.',
    'Timestamps have whole seconds, so what an event says is part of its identity.',
  ],
  compose: ({ type, payload }, at) =>
    jsonEvent({
      passcode: '',
      timestamp: at.toISOString().replace(/\.\d+Z$/, 'Z'),
      webhook_id: '22',
      retries: 0,
      file_key: freshId(),
      file_name: 'Größen',
      triggered_by: { id: '813845097374535682', handle: 'Dylan' },
      ...payload,
      event_type: type ?? payload?.event_type ?? 'FILE_UPDATE',
    }),
})

/** Not the number of retries, nor who did it, whose picture may have a new address each time. */
function contentOf(document: unknown): unknown {
  if (!isObject(document)) return undefined
  const { passcode: _passcode, retries: _retries, triggered_by: _person, ...content } = document
  return content
}
