import type { Delivery } from '../../src/delivery/delivery.ts'
import { adyen } from '../../src/providers/adyen.ts'
import { appleAppStoreV2 } from '../../src/providers/apple-app-store-v2.ts'
import { awsSns } from '../../src/providers/aws-sns.ts'
import { braintree } from '../../src/providers/braintree.ts'
import { googlePlayRtdn } from '../../src/providers/google-play-rtdn.ts'
import { googlePubsubPush } from '../../src/providers/google-pubsub-push.ts'
import { monday } from '../../src/providers/monday.ts'
import { netlify } from '../../src/providers/netlify.ts'
import { paypal } from '../../src/providers/paypal.ts'
import { plaid } from '../../src/providers/plaid.ts'
import { vonage } from '../../src/providers/vonage.ts'
import { pemKeys, secrets, textSecret } from './case-keys.ts'
import { describeProviders } from './describe-provider.ts'
import { inBody, inForm, inHeader, type ProviderCase, timestampHeader, withValues } from './provider-case.ts'

const bodyOf = ({ body }: Delivery): string => Buffer.from(body).toString('utf8')

/** The members of the JSON body with these names, as they are written. */
function membersNamed(names: readonly string[]): (delivery: Delivery) => readonly string[] {
  const member = new RegExp(`"(?:${names.join('|')})":(?:"(?:[^"\\\\]|\\\\.)*"|\\d+)`, 'g')
  return (delivery) => bodyOf(delivery).match(member) ?? []
}

/** A token with another text in the place of a time; its signature is left as it was. */
function withClaim(token: string, name: string, text: string): string {
  const [head, payload = '', mark] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as object
  return [head, Buffer.from(JSON.stringify({ ...claims, [name]: text })).toString('base64url'), mark].join('.')
}

function timestampClaim(header: string, name: string): NonNullable<ProviderCase['withTimestamp']> {
  return (delivery, text) => {
    const token = inHeader(header).read(delivery)
    return withValues(delivery, header, [withClaim(token, name, text)])
  }
}

const appleProof = inBody('signedPayload')

await describeProviders([
  {
    name: 'aws-sns',
    create: awsSns,
    ...pemKeys('rsa'),
    coverage: membersNamed(['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type']),
    exactBody: 'none',
    proof: inBody('Signature'),
    withTimestamp: (delivery, text) => inBody('Timestamp').write(delivery, [text]),
    timestampUnit: 'iso8601',
  },
  {
    name: 'paypal',
    create: (options) => paypal({ ...options, webhookId: '4JH86294D6297924G' }),
    ...pemKeys('rsa'),
    isKeyFetched: true,
    coverage: 'all',
    proof: inHeader('paypal-transmission-sig'),
    withTimestamp: timestampHeader('paypal-transmission-time'),
    timestampUnit: 'iso8601',
  },
  {
    name: 'plaid',
    create: plaid,
    ...pemKeys('ec'),
    coverage: 'all',
    proof: inHeader('plaid-verification'),
    withTimestamp: timestampClaim('plaid-verification', 'iat'),
    isEveryDeliveryNew: true,
  },
  {
    name: 'apple-app-store-v2',
    create: appleAppStoreV2,
    ...pemKeys('ec'),
    coverage: 'all',
    exactBody: 'none',
    proof: appleProof,
    withTimestamp: (delivery, text) =>
      appleProof.write(delivery, [withClaim(appleProof.read(delivery), 'signedDate', text)]),
  },
  {
    name: 'google-pubsub-push',
    create: googlePubsubPush,
    ...pemKeys('rsa'),
    coverage: 'none',
    proof: inHeader('authorization'),
  },
  {
    name: 'google-play-rtdn',
    create: googlePlayRtdn,
    ...pemKeys('rsa'),
    coverage: 'none',
    proof: inHeader('authorization'),
  },
  { name: 'netlify', create: netlify, ...textSecret, coverage: 'all', proof: inHeader('x-webhook-signature') },
  {
    name: 'vonage',
    create: vonage,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('authorization'),
    withTimestamp: timestampClaim('authorization', 'iat'),
  },
  { name: 'monday', create: monday, ...textSecret, coverage: 'none', proof: inHeader('authorization') },
  {
    name: 'adyen',
    create: adyen,
    ...secrets(
      '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056',
      '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    ),
    coverage: membersNamed([
      'pspReference',
      'merchantAccountCode',
      'merchantReference',
      'value',
      'currency',
      'eventCode',
      'success',
    ]),
    exactBody: 'none',
    proof: inBody('notificationItems.0.NotificationRequestItem.additionalData.hmacSignature'),
  },
  {
    name: 'braintree',
    create: (options) => braintree({ ...options, publicKey: 'integration_public_key' }),
    ...textSecret,
    coverage: (delivery) => bodyOf(delivery).match(/bt_payload=.+/) ?? [],
    exactBody: 'none',
    proof: inForm('bt_signature'),
  },
])
