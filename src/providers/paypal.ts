import { rsa } from '../verify/algorithms/rsa.ts'
import { trustedKey } from '../verify/certificates.ts'
import { freshId, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signedChecksum } from '../verify/schemes/signed-checksum.ts'

/** What PayPal needs beyond the common options. */
export type PaypalOptions = {
  /** The id of the webhook in the PayPal dashboard; it is part of what is signed. */
  readonly webhookId: string
}

/** PayPal REST webhooks. The certificate is fetched from PayPal, unless `publicKey` pins one. https://developer.paypal.com/api/rest/webhooks/ */
export const paypal: (options: ProviderOptions & PaypalOptions) => Provider = defineProvider<PaypalOptions>(
  ({ webhookId, unverified }) => ({
    name: 'paypal',
    title: 'PayPal',
    documentation: 'https://developer.paypal.com/api/rest/webhooks/',
    scheme: signedChecksum({
      signature: 'paypal-transmission-sig',
      id: 'paypal-transmission-id',
      timestamp: 'paypal-transmission-time',
      algorithmName: 'paypal-auth-algo',
      keyAddress: 'paypal-cert-url',
      algorithm: rsa({ hash: 'sha256' }),
      algorithmLabel: 'SHA256withRSA',
      receiver: webhookId,
      // No limit is documented. Retries go on for three days, and nobody says whether each has a new time.
      toleranceSeconds: 4 * 86_400,
      keyAddressPattern: /^https:\/\/[^/]+\/v1\/notifications\/certs\/[\w-]+$/,
      keySource: {
        isOwnHost: (host) => /^api(?:-m)?(?:\.sandbox)?\.paypal\.com$/.test(host),
        read: (text, at) => new Map([['', trustedKey(text, { at, isSubject: (name) => subject.test(name) })]]),
      },
      signingKeyAddress: 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270',
    }),
    idField: 'the body field "id"',
    // A CRC32 is no proof of what it is over.
    isIdSigned: false,
    reads: ['id', 'event_type', 'resource.id', 'create_time'],
    identify: ({ document, headers }) => ({
      id: field(document, 'id'),
      type: field(document, 'event_type'),
      deliveryId: headers.get('paypal-transmission-id'),
      objectId: field(document, 'resource.id'),
      occurredAt: fromDateText(field(document, 'create_time')),
    }),
    retryHours: 72,
    retrySchedule: 'up to 25 times over three days',
    sending: { retries: 25 },
    confidence: 'executed',
    uncertain: [
      'how long it waits for an answer',
      'whether the simulator uses one id for all its events (second-hand)',
      'whether the fetched file holds the whole chain of certificates',
    ],
    surprises: [
      'The signature covers the webhook’s id, not the body itself but its CRC32, and nothing of the address.',
      'Who checks by asking PayPal has to send the event back byte for byte.',
    ],
    ownOptions: { webhookId: 'the id of the webhook in the PayPal dashboard; it is part of what is signed' },
    mistakes:
      isGiven(webhookId) || unverified === true ? [] : ['"webhookId" is missing: the PayPal dashboard shows it.'],
    compose: ({ id, type = 'PAYMENT.CAPTURE.COMPLETED', payload }, at) =>
      jsonEvent(
        {
          event_version: '1.0',
          create_time: at.toISOString(),
          resource_type: 'capture',
          resource_version: '2.0',
          event_type: type,
          summary: 'Payment completed for € 42.00 EUR',
          resource: { id: '42311647XV020574X', status: 'COMPLETED', amount: { currency_code: 'EUR', value: '42.00' } },
          ...payload,
          id: id ?? payload?.id ?? `WH-${freshId().toUpperCase()}`,
        },
        { 'user-agent': 'PayPal/AUHR-214.0-58', 'paypal-transmission-id': freshUuid(), 'paypal-auth-version': 'v2' },
      ),
  }),
)

const subject = /^messageverificationcerts\.(?:[a-z0-9-]+\.)?paypal\.com$/i

function isGiven(webhookId: unknown): boolean {
  return typeof webhookId === 'string' && !['', 'undefined', 'null'].includes(webhookId.trim())
}
