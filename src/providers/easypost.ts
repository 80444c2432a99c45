import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { type KeyFormat, utf8Secret } from '../verify/keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** EasyPost. The secret is the `webhook_secret` of the webhook. https://docs.easypost.com/guides/webhooks-guide */
export const easypost: (options: ProviderOptions) => Provider = defineProvider({
  name: 'easypost',
  title: 'EasyPost',
  documentation: 'https://docs.easypost.com/guides/webhooks-guide',
  scheme: signature({
    header: 'x-hmac-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'hmac-sha256-hex=' }),
    secret: decomposedSecret(),
  }),
  idField: 'the body field "id"',
  isIdSigned: true,
  confidence: 'executed',
  uncertain: ['the deadline of 7 s (second-hand)'],
  surprises: [
    'Accents in the secret are taken apart (Unicode NFKD) before it signs, so é counts as two characters.',
    'EasyPost’s own library for Node writes a weight of 5 as 5.0 before it checks, which mends bodies that were parsed and written again. The raw bytes need no mending.',
    'pending_urls and completed_urls are about the event, so the bytes can differ between attempts. The id stays.',
  ],
  reads: ['id', 'description', 'result.id', 'created_at'],
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'description'),
    objectId: field(document, 'result.id'),
    occurredAt: fromDateText(field(document, 'created_at')),
  }),
  retryHours: 24,
  retrySchedule: 'with growing pauses for about 24 hours',
  deadlineSeconds: 7,
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      object: 'Event',
      mode: 'production',
      previous_attributes: { status: 'unknown' },
      result: { id: freshId('trk_'), object: 'Tracker', status: 'delivered', tracking_code: '1Z9999999999999999' },
      status: 'pending',
      pending_urls: ['https://example.com/hooks'],
      completed_urls: [],
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
      ...payload,
      id: id ?? payload?.id ?? freshId('evt_'),
      description: type ?? payload?.description ?? 'tracker.updated',
    }),
})

/** EasyPost signs with the secret in this form, whatever its owner typed. */
function decomposedSecret(): KeyFormat {
  return (material) => utf8Secret(typeof material === 'string' ? material.normalize('NFKD') : material)
}
