import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Vercel. The secret is the account webhook's, or for an integration its client secret. https://vercel.com/docs/webhooks/webhooks-api */
export const vercel: (options: ProviderOptions) => Provider = defineProvider({
  name: 'vercel',
  title: 'Vercel',
  documentation: 'https://vercel.com/docs/webhooks/webhooks-api',
  scheme: signature({
    header: 'x-vercel-signature',
    format: plain({ algorithm: hmac('sha1'), encoding: 'hex' }),
  }),
  idField: 'the body field "id"',
  isIdSigned: true,
  reads: ['id', 'type', 'payload.deployment.id', 'payload.project.id', 'createdAt'],
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'type'),
    objectId: field(document, 'payload.deployment.id') ?? field(document, 'payload.project.id'),
    occurredAt: fromUnixMilliseconds(field(document, 'createdAt')),
  }),
  confidence: 'unsure',
  uncertain: [
    'how it signs (second-hand)',
    'its retries (second-hand)',
    'how long it waits for an answer (second-hand)',
  ],
  surprises: ['An integration is signed with its client secret, an account webhook with a secret of its own.'],
  retryHours: 24,
  retrySchedule: 'at growing intervals',
  deadlineSeconds: 30,
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      createdAt: at.getTime(),
      region: 'fra1',
      payload: {
        team: { id: 'team_abc' },
        user: { id: 'usr_123' },
        deployment: { id: freshId('dpl_'), name: 'my-project', url: 'my-project-abc.vercel.app', meta: {} },
        project: { id: 'prj_x' },
        target: 'production',
        plan: 'pro',
      },
      ...payload,
      id: id ?? payload?.id ?? freshId('wbhk_'),
      type: type ?? payload?.type ?? 'deployment.succeeded',
    }),
})
