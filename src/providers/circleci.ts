import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { idText } from '../verify/safe-id.ts'
import { eachOnce } from '../verify/schemes/each-once.ts'
import { signature } from '../verify/schemes/signature.ts'
import { pairs } from '../verify/schemes/signature-format.ts'

/** CircleCI outbound webhooks. The secret is the webhook's secret token. https://circleci.com/docs/guides/integration/outbound-webhooks/ */
export const circleci: (options: ProviderOptions) => Provider = defineProvider({
  name: 'circleci',
  title: 'CircleCI outbound webhooks',
  documentation: 'https://circleci.com/docs/guides/integration/outbound-webhooks/',
  // Only the newest version may be checked, and v1 is the only one so far: others in the list prove nothing.
  scheme: signature({
    header: 'circleci-signature',
    format: eachOnce(pairs({ algorithm: hmac('sha256'), encoding: 'hex', separator: ',', signature: 'v1' })),
  }),
  idField: 'the body field "id"',
  isIdSigned: true,
  reads: ['id', 'type', 'job.id', 'workflow.id', 'happened_at'],
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'type'),
    objectId: field(document, 'job.id') ?? field(document, 'workflow.id'),
    occurredAt: fromDateText(field(document, 'happened_at')),
  }),
  confidence: 'executed',
  surprises: [
    'The header is a list of versions, so that v2 can come. Only the newest may be checked: accepting an older one as well would let an attacker choose.',
    'Without a secret token there is no signature at all.',
  ],
  retrySchedule: 'at a later time after anything but a 2xx, and after a time-out; when is not said',
  deadlineSeconds: 10,
  compose: ({ id, type, payload }, at) => {
    const event = idText(type ?? payload?.type) ?? 'workflow-completed'
    return jsonEvent(
      {
        happened_at: at.toISOString(),
        webhook: { id: 'cf8c4fdd-0587-4da1-b4ca-4846e9640af9', name: 'Sample Webhook' },
        workflow: { id: freshUuid(), name: 'build-testing', status: 'success' },
        project: { id: '84996744-a854-4f5e-aea3-04e2851dc1d2', name: 'web', slug: 'github/acme/web' },
        ...payload,
        id: id ?? payload?.id ?? freshUuid(),
        type: event,
      },
      { 'user-agent': 'CircleCI-Webhook/1.0', 'circleci-event-type': event },
    )
  },
})
