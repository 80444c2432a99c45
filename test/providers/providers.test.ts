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
import { ed25519Keys, ed25519Pair, otherEd25519Pair, textSecret, whsecSecret } from './case-keys.ts'
import { describeProviders } from './describe-provider.ts'
import { inHeader, timestampHeader, timestampPair } from './provider-case.ts'

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

await describeProviders([
  {
    name: 'stripe',
    create: stripe,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('stripe-signature'),
    withTimestamp: timestampPair('stripe-signature', 't'),
  },
  {
    name: 'paddle',
    create: paddle,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('paddle-signature'),
    withTimestamp: timestampPair('paddle-signature', 'ts'),
  },
  { name: 'github', create: github, ...textSecret, coverage: 'all', proof: inHeader('x-hub-signature-256') },
  { name: 'shopify', create: shopify, ...textSecret, coverage: 'all', proof: inHeader('x-shopify-hmac-sha256') },
  { name: 'whatsapp', create: whatsapp, ...textSecret, coverage: 'all', proof: inHeader('x-hub-signature-256') },
  { name: 'twilio', create: twilio, ...textSecret, coverage: 'all', proof: inHeader('x-twilio-signature') },
  {
    name: 'slack',
    create: slack,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-slack-signature'),
    withTimestamp: timestampHeader('x-slack-request-timestamp'),
  },
  {
    name: 'telegram',
    create: telegram,
    ...textSecret,
    coverage: 'none',
    proof: inHeader('x-telegram-bot-api-secret-token'),
  },
  {
    name: 'discord',
    create: discord,
    ...ed25519Keys,
    coverage: 'all',
    proof: inHeader('x-signature-ed25519'),
    withTimestamp: timestampHeader('x-signature-timestamp'),
  },
  {
    name: 'standard-webhooks',
    create: standardWebhooks,
    ...whsecSecret,
    coverage: 'all',
    proof: inHeader('webhook-signature'),
    withTimestamp: timestampHeader('webhook-timestamp'),
  },
  {
    name: 'standard-webhooks',
    create: standardWebhooks,
    ...ed25519Keys,
    coverage: 'all',
    variant: 'with a key pair',
    keys: { publicKey: `whpk_${base64(ed25519Pair.publicKey)}`, privateKey: `whsk_${base64(ed25519Pair.privateKey)}` },
    otherKeys: {
      publicKey: `whpk_${base64(otherEd25519Pair.publicKey)}`,
      privateKey: `whsk_${base64(otherEd25519Pair.privateKey)}`,
    },
    proof: inHeader('webhook-signature'),
    withTimestamp: timestampHeader('webhook-timestamp'),
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
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-acme-signature'),
    withTimestamp: timestampHeader('x-acme-time'),
  },
  {
    name: 'token',
    create: (options) =>
      token({ ...options, header: 'authorization', prefix: 'Bearer ', id: { body: 'id' }, type: { body: 'type' } }),
    ...textSecret,
    coverage: 'none',
    proof: inHeader('authorization'),
  },
])
