import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { base64Secret } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Airtable. The secret is the `macSecretBase64` of the call that made the webhook. https://airtable.com/developers/web/api/webhooks-overview */
export const airtable: (options: ProviderOptions) => Provider = defineProvider({
  name: 'airtable',
  title: 'Airtable',
  documentation: 'https://airtable.com/developers/web/api/webhooks-overview',
  scheme: signature({
    header: 'x-airtable-content-mac',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'hmac-sha256=' }),
    secret: base64Secret(),
  }),
  idField: 'nothing that Airtable sends',
  identityAdvice:
    'Airtable sends a ping without an id, sometimes for nothing, so every ping is a new event. ' +
    'Read the list of payloads from your stored cursor, and store the new cursor in the same transaction as the effect: ' +
    'a ping that comes twice then finds nothing new.',
  reads: ['webhook.id', 'base.id', 'timestamp'],
  identify: ({ document, arrivalId }) => ({
    id: arrivalId,
    // A ping has no type either; without a webhook it is none.
    type: field(document, 'webhook.id') === undefined ? undefined : 'ping',
    objectId: field(document, 'base.id'),
    occurredAt: fromDateText(field(document, 'timestamp')),
  }),
  // Airtable takes nothing but 200 and 204 for success.
  answer: () => ({ status: 200 }),
  successStatus: '200 or 204',
  confidence: 'documents',
  surprises: [
    'A ping says only that something changed; what it was has to be fetched from the list of payloads.',
    'The secret is base64, and it is shown once, when the webhook is made.',
    'A webhook expires after 7 days unless it is refreshed.',
  ],
  retryHours: 24,
  retrySchedule: '13 more times, with growing pauses from 10 seconds on',
  sending: { pausesSeconds: [10], retries: 13, successes: [200, 204] },
  deadlineSeconds: 25,
  compose: ({ payload }, at) =>
    jsonEvent({
      base: { id: 'app00000000000000' },
      webhook: { id: freshId('ach') },
      timestamp: at.toISOString(),
      ...payload,
    }),
})
