import { box } from '../../src/providers/box.ts'
import { calCom } from '../../src/providers/cal-com.ts'
import { calendly } from '../../src/providers/calendly.ts'
import { docusignConnect } from '../../src/providers/docusign-connect.ts'
import { easypost } from '../../src/providers/easypost.ts'
import { hubspot } from '../../src/providers/hubspot.ts'
import { intercom } from '../../src/providers/intercom.ts'
import { notion } from '../../src/providers/notion.ts'
import { shippo } from '../../src/providers/shippo.ts'
import { typeform } from '../../src/providers/typeform.ts'
import { webflow } from '../../src/providers/webflow.ts'
import { zendesk } from '../../src/providers/zendesk.ts'
import { textSecret } from './case-keys.ts'
import { describeProviders } from './describe-provider.ts'
import { inHeader, timestampHeader, timestampPair } from './provider-case.ts'

await describeProviders([
  {
    name: 'hubspot',
    create: hubspot,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-hubspot-signature-v3'),
    withTimestamp: timestampHeader('x-hubspot-request-timestamp'),
    timestampUnit: 'milliseconds',
  },
  { name: 'intercom', create: intercom, ...textSecret, coverage: 'all', proof: inHeader('x-hub-signature') },
  {
    name: 'zendesk',
    create: zendesk,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-zendesk-webhook-signature'),
    withTimestamp: timestampHeader('x-zendesk-webhook-signature-timestamp'),
    timestampUnit: 'iso8601',
  },
  { name: 'typeform', create: typeform, ...textSecret, coverage: 'all', proof: inHeader('typeform-signature') },
  {
    name: 'calendly',
    create: calendly,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('calendly-webhook-signature'),
    withTimestamp: timestampPair('calendly-webhook-signature', 't'),
  },
  { name: 'cal-com', create: calCom, ...textSecret, coverage: 'all', proof: inHeader('x-cal-signature-256') },
  {
    name: 'docusign-connect',
    create: docusignConnect,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-docusign-signature-1'),
  },
  { name: 'notion', create: notion, ...textSecret, coverage: 'all', proof: inHeader('x-notion-signature') },
  {
    name: 'webflow',
    create: webflow,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-webflow-signature'),
    withTimestamp: timestampHeader('x-webflow-timestamp'),
    timestampUnit: 'milliseconds',
  },
  { name: 'easypost', create: easypost, ...textSecret, coverage: 'all', proof: inHeader('x-hmac-signature') },
  {
    name: 'shippo',
    create: shippo,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('shippo-auth-signature'),
    withTimestamp: timestampPair('shippo-auth-signature', 't'),
  },
  {
    name: 'box',
    create: box,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('box-signature-primary'),
    withTimestamp: timestampHeader('box-delivery-timestamp'),
    timestampUnit: 'iso8601',
  },
])
