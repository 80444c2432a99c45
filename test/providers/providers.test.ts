import { type Delivery, onlyHeader } from '../../src/delivery/delivery.ts'
import { discord } from '../../src/providers/discord.ts'
import { github } from '../../src/providers/github.ts'
import { hmac } from '../../src/providers/hmac.ts'
import { paddle } from '../../src/providers/paddle.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { slack } from '../../src/providers/slack.ts'
import { standardWebhooks } from '../../src/providers/standard-webhooks.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { telegram } from '../../src/providers/telegram.ts'
import { token } from '../../src/providers/token.ts'
import { twilio } from '../../src/providers/twilio.ts'
import { whatsapp } from '../../src/providers/whatsapp.ts'
import { describeProvider } from './describe-provider.ts'
import { type ProviderCase, withValues } from './provider-case.ts'

const secret = 'the-first-secret-of-the-conformance-suite'
const otherSecret = 'the-second-secret-of-the-conformance-suite'
const shared = { keys: { secret }, otherKeys: { secret: otherSecret }, secretTexts: [secret], isBodySigned: true }

const whsec = 'whsec_b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE='
const otherWhsec = 'whsec_d3Jvbmctc2VjcmV0LXdyb25nLXNlY3JldC0wMDAwMDA='

/** Key pairs made for these tests; the private key is the seed. */
const pair = {
  privateKey: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
}
const otherPair = {
  privateKey: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
}
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
const keyPair = { keys: pair, otherKeys: otherPair, secretTexts: [pair.privateKey], isBodySigned: true }

const inHeader = (header: string) => (delivery: Delivery, timestamp: string) =>
  withValues(delivery, header, [timestamp])

const inSignature = (header: string, name: string) => (delivery: Delivery, timestamp: string) =>
  withValues(delivery, header, [
    (onlyHeader(delivery.headers, header) ?? '').replace(/=\d+/, `=${timestamp}`).replace(/^.*?=/, `${name}=`),
  ])

const cases: readonly ProviderCase[] = [
  {
    name: 'stripe',
    create: stripe,
    ...shared,
    signatureHeader: 'stripe-signature',
    withTimestamp: inSignature('stripe-signature', 't'),
  },
  {
    name: 'paddle',
    create: paddle,
    ...shared,
    signatureHeader: 'paddle-signature',
    withTimestamp: inSignature('paddle-signature', 'ts'),
  },
  { name: 'github', create: github, ...shared, signatureHeader: 'x-hub-signature-256' },
  { name: 'shopify', create: shopify, ...shared, signatureHeader: 'x-shopify-hmac-sha256' },
  { name: 'whatsapp', create: whatsapp, ...shared, signatureHeader: 'x-hub-signature-256' },
  { name: 'twilio', create: twilio, ...shared, signatureHeader: 'x-twilio-signature' },
  {
    name: 'slack',
    create: slack,
    ...shared,
    signatureHeader: 'x-slack-signature',
    withTimestamp: inHeader('x-slack-request-timestamp'),
  },
  {
    name: 'telegram',
    create: telegram,
    ...shared,
    signatureHeader: 'x-telegram-bot-api-secret-token',
    isBodySigned: false,
  },
  {
    name: 'discord',
    create: discord,
    ...keyPair,
    signatureHeader: 'x-signature-ed25519',
    withTimestamp: inHeader('x-signature-timestamp'),
  },
  {
    name: 'standard-webhooks',
    create: standardWebhooks,
    ...shared,
    keys: { secret: whsec },
    otherKeys: { secret: otherWhsec },
    secretTexts: [whsec, 'oncehook-test-secret'],
    signatureHeader: 'webhook-signature',
    withTimestamp: inHeader('webhook-timestamp'),
  },
  {
    name: 'standard-webhooks',
    create: standardWebhooks,
    ...keyPair,
    variant: 'with a key pair',
    keys: { publicKey: `whpk_${base64(pair.publicKey)}`, privateKey: `whsk_${base64(pair.privateKey)}` },
    otherKeys: { publicKey: `whpk_${base64(otherPair.publicKey)}`, privateKey: `whsk_${base64(otherPair.privateKey)}` },
    signatureHeader: 'webhook-signature',
    withTimestamp: inHeader('webhook-timestamp'),
  },
  {
    name: 'hmac',
    create: (options) =>
      hmac({
        ...options,
        header: 'X-Acme-Signature',
        template: '{timestamp}.{body}',
        timestampHeader: 'X-Acme-Time',
        encoding: 'base64url',
        algorithm: 'sha512',
        id: { body: 'event.id' },
        type: { header: 'x-acme-type' },
      }),
    ...shared,
    signatureHeader: 'x-acme-signature',
    withTimestamp: inHeader('x-acme-time'),
  },
  {
    name: 'token',
    create: (options) =>
      token({ ...options, header: 'authorization', prefix: 'Bearer ', id: { body: 'id' }, type: { body: 'type' } }),
    ...shared,
    signatureHeader: 'authorization',
    isBodySigned: false,
  },
]

for (const provider of cases) describeProvider(provider)
