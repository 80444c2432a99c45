import { clerk } from '../../src/providers/clerk.ts'
import { customerIo } from '../../src/providers/customer-io.ts'
import { line } from '../../src/providers/line.ts'
import { mailchimp } from '../../src/providers/mailchimp.ts'
import { mailgun } from '../../src/providers/mailgun.ts'
import { messenger } from '../../src/providers/messenger.ts'
import { openai } from '../../src/providers/openai.ts'
import { plivo } from '../../src/providers/plivo.ts'
import { postmark } from '../../src/providers/postmark.ts'
import { resend } from '../../src/providers/resend.ts'
import { segment } from '../../src/providers/segment.ts'
import { sendgrid } from '../../src/providers/sendgrid.ts'
import { svix } from '../../src/providers/svix.ts'
import { telnyx } from '../../src/providers/telnyx.ts'
import { twitchEventsub } from '../../src/providers/twitch-eventsub.ts'
import { viber } from '../../src/providers/viber.ts'
import { workos } from '../../src/providers/workos.ts'
import { zoom } from '../../src/providers/zoom.ts'
import { ed25519Keys, ed25519Pair, otherEd25519Pair, pemKeys, secrets, textSecret, whsecSecret } from './case-keys.ts'
import { describeProviders } from './describe-provider.ts'
import { inBody, inHeader, inQuery, timestampHeader, timestampPair } from './provider-case.ts'

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

const throughSvix = {
  ...whsecSecret,
  coverage: 'all',
  proof: inHeader('svix-signature'),
  withTimestamp: timestampHeader('svix-timestamp'),
} as const

const throughOpenai = {
  coverage: 'all',
  proof: inHeader('webhook-signature'),
  withTimestamp: timestampHeader('webhook-timestamp'),
} as const

await describeProviders([
  { name: 'svix', create: svix, ...throughSvix },
  {
    name: 'svix',
    create: svix,
    ...throughSvix,
    variant: 'with a key pair',
    keys: { publicKey: `whpk_${base64(ed25519Pair.publicKey)}`, privateKey: `whsk_${base64(ed25519Pair.privateKey)}` },
    otherKeys: {
      publicKey: `whpk_${base64(otherEd25519Pair.publicKey)}`,
      privateKey: `whsk_${base64(otherEd25519Pair.privateKey)}`,
    },
    secretTexts: [base64(ed25519Pair.privateKey)],
  },
  { name: 'clerk', create: clerk, ...throughSvix },
  { name: 'resend', create: resend, ...throughSvix },
  { name: 'openai', create: openai, ...whsecSecret, ...throughOpenai },
  { name: 'openai', create: openai, ...textSecret, ...throughOpenai, variant: 'with a secret of plain text' },
  {
    name: 'zoom',
    create: zoom,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-zm-signature'),
    withTimestamp: timestampHeader('x-zm-request-timestamp'),
  },
  {
    name: 'workos',
    create: workos,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('workos-signature'),
    withTimestamp: timestampPair('workos-signature', 't'),
    timestampUnit: 'milliseconds',
  },
  {
    name: 'customer-io',
    create: customerIo,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-cio-signature'),
    withTimestamp: timestampHeader('x-cio-timestamp'),
  },
  {
    name: 'telnyx',
    create: telnyx,
    ...ed25519Keys,
    coverage: 'all',
    proof: inHeader('telnyx-signature-ed25519'),
    withTimestamp: timestampHeader('telnyx-timestamp'),
  },
  {
    name: 'twitch-eventsub',
    create: twitchEventsub,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('twitch-eventsub-message-signature'),
    withTimestamp: timestampHeader('twitch-eventsub-message-timestamp'),
    timestampUnit: 'iso8601',
  },
  {
    name: 'sendgrid',
    create: sendgrid,
    ...pemKeys('ec'),
    coverage: 'all',
    proof: inHeader('x-twilio-email-event-webhook-signature'),
    withTimestamp: timestampHeader('x-twilio-email-event-webhook-timestamp'),
  },
  {
    name: 'postmark',
    create: postmark,
    ...secrets('hooks:the-first-password-of-these-tests', 'hooks:the-second-password-of-these-tests'),
    coverage: 'none',
    proof: inHeader('authorization'),
  },
  {
    name: 'mailgun',
    create: mailgun,
    ...textSecret,
    coverage: (delivery) => [inBody('signature.timestamp').read(delivery), inBody('signature.token').read(delivery)],
    proof: inBody('signature.signature'),
    withTimestamp: (delivery, timestamp) => inBody('signature.timestamp').write(delivery, [timestamp]),
    exactBody: 'none',
  },
  {
    name: 'plivo',
    create: plivo,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-plivo-signature-v3'),
    exactBody: 'From=1555&Text=Gr%C3%BC%C3%9Fe+%26+mehr',
  },
  {
    name: 'plivo',
    create: (options) => plivo({ ...options, signatureVersion: 'v2' }),
    ...textSecret,
    variant: 'with its second version',
    coverage: 'none',
    proof: inHeader('x-plivo-signature-v2'),
  },
  { name: 'segment', create: segment, ...textSecret, coverage: 'all', proof: inHeader('x-signature') },
  {
    name: 'segment',
    create: (options) => segment({ ...options, batches: 'refuse' }),
    ...textSecret,
    variant: 'without batches',
    coverage: 'all',
    proof: inHeader('x-signature'),
  },
  { name: 'messenger', create: messenger, ...textSecret, coverage: 'all', proof: inHeader('x-hub-signature-256') },
  { name: 'mailchimp', create: mailchimp, ...textSecret, coverage: 'none', proof: inQuery('token') },
  { name: 'viber', create: viber, ...textSecret, coverage: 'all', proof: inHeader('x-viber-content-signature') },
  { name: 'line', create: line, ...textSecret, coverage: 'all', proof: inHeader('x-line-signature') },
])
