import { formEvent, freshId } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { token } from '../verify/schemes/token.ts'

/** Mailchimp audiences. The secret is what you put into the webhook's address as `?token=…`. https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/ */
export const mailchimp: (options: ProviderOptions) => Provider = defineProvider({
  name: 'mailchimp',
  title: 'Mailchimp Marketing audience webhooks',
  documentation: 'https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/',
  scheme: token({ query: 'token' }),
  idField: 'the form fields "type" and "fired_at" and a digest of the form',
  isIdSigned: false,
  // The time has seconds only, and two profiles can change within one; so the content is part of the key.
  identify: ({ form, bodySha256 }) => ({
    id: compositeId([form.get('type'), form.get('fired_at'), bodySha256]),
    type: form.get('type'),
    objectId: form.get('data[id]') ?? form.get('data[new_id]') ?? form.get('data[email]'),
  }),
  methods: ['POST', 'GET'],
  handshakes: {
    before_verification: ({ delivery: { method } }) => (method === 'GET' ? { status: 200 } : undefined),
  },
  handshakeGuide: 'a GET when the webhook is created, which is answered with 200',
  retryHours: 1.25,
  retrySchedule: 'at growing intervals for 75 minutes',
  deadlineSeconds: 10,
  confidence: 'documents',
  uncertain: ['which answers count as success', 'the fields of other types than subscribe and unsubscribe'],
  weaknesses: ['Nothing is signed. The secret is a part of the address, and addresses end up in logs.'],
  surprises: [
    'An answer of 410 switches the webhook off; it is never answered here.',
    'fired_at names no time zone, so it is no time of the event here.',
  ],
  compose: ({ id = freshId(), type = 'subscribe', payload }, at) =>
    formEvent(
      {
        fired_at: at.toISOString().slice(0, 19).replace('T', ' '),
        'data[id]': id,
        'data[list_id]': 'a6b5da1054',
        'data[email]': 'jenny@example.com',
        ...payload,
        type: payload?.type ?? type,
      },
      { 'user-agent': 'MailChimp' },
    ),
})
