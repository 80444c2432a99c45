import { onlyHeader } from '../../src/delivery/delivery.ts'
import { afterpay } from '../../src/providers/afterpay.ts'
import { bigcommerce } from '../../src/providers/bigcommerce.ts'
import { brex } from '../../src/providers/brex.ts'
import { chargebee } from '../../src/providers/chargebee.ts'
import { checkoutCom } from '../../src/providers/checkout-com.ts'
import { coinbaseCommerce } from '../../src/providers/coinbase-commerce.ts'
import { gocardless } from '../../src/providers/gocardless.ts'
import { intuitQuickbooks } from '../../src/providers/intuit-quickbooks.ts'
import { klarna } from '../../src/providers/klarna.ts'
import { lemonsqueezy } from '../../src/providers/lemonsqueezy.ts'
import { mollie } from '../../src/providers/mollie.ts'
import { polar } from '../../src/providers/polar.ts'
import { razorpay } from '../../src/providers/razorpay.ts'
import { recurly } from '../../src/providers/recurly.ts'
import { revenuecat } from '../../src/providers/revenuecat.ts'
import { square } from '../../src/providers/square.ts'
import { wise } from '../../src/providers/wise.ts'
import { woocommerce } from '../../src/providers/woocommerce.ts'
import { xero } from '../../src/providers/xero.ts'
import { pemKeys, secrets, textSecret, whsecSecret } from './case-keys.ts'
import { describeProviders } from './describe-provider.ts'
import { inHeader, inQuery, timestampHeader, withValues } from './provider-case.ts'

const standardWebhooks = {
  coverage: 'all',
  proof: inHeader('webhook-signature'),
  withTimestamp: timestampHeader('webhook-timestamp'),
} as const

await describeProviders([
  { name: 'checkout-com', create: checkoutCom, ...textSecret, coverage: 'all', proof: inHeader('cko-signature') },
  { name: 'lemonsqueezy', create: lemonsqueezy, ...textSecret, coverage: 'all', proof: inHeader('x-signature') },
  { name: 'razorpay', create: razorpay, ...textSecret, coverage: 'all', proof: inHeader('x-razorpay-signature') },
  { name: 'gocardless', create: gocardless, ...textSecret, coverage: 'all', proof: inHeader('webhook-signature') },
  { name: 'mollie', create: mollie, ...textSecret, coverage: 'all', proof: inHeader('x-mollie-signature') },
  {
    name: 'mollie',
    variant: 'classic',
    create: (options) => mollie({ ...options, generation: 'classic' }),
    ...textSecret,
    coverage: 'none',
    proof: inQuery('token'),
    isEveryDeliveryNew: true,
  },
  { name: 'klarna', create: klarna, ...textSecret, coverage: 'all', proof: inHeader('klarna-signature') },
  {
    name: 'coinbase-commerce',
    create: coinbaseCommerce,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-cc-webhook-signature'),
  },
  {
    name: 'recurly',
    create: recurly,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('recurly-signature'),
    timestampUnit: 'milliseconds',
    withTimestamp: (delivery, timestamp) =>
      withValues(delivery, 'recurly-signature', [
        (onlyHeader(delivery.headers, 'recurly-signature') ?? '').replace(/^[^,]*/, timestamp),
      ]),
  },
  { name: 'square', create: square, ...textSecret, coverage: 'all', proof: inHeader('x-square-hmacsha256-signature') },
  { name: 'xero', create: xero, ...textSecret, coverage: 'all', proof: inHeader('x-xero-signature') },
  {
    name: 'intuit-quickbooks',
    create: intuitQuickbooks,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('intuit-signature'),
  },
  {
    name: 'woocommerce',
    create: woocommerce,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-wc-webhook-signature'),
  },
  { name: 'bigcommerce', create: bigcommerce, ...textSecret, ...standardWebhooks },
  { name: 'polar', create: polar, ...textSecret, ...standardWebhooks },
  { name: 'brex', create: brex, ...whsecSecret, ...standardWebhooks },
  {
    name: 'chargebee',
    create: chargebee,
    ...secrets('hooks:the-first-password-of-the-suite', 'hooks:the-second-password-of-the-suite'),
    coverage: 'none',
    proof: inHeader('authorization'),
  },
  {
    name: 'afterpay',
    create: afterpay,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-afterpay-request-signature'),
    withTimestamp: timestampHeader('x-afterpay-request-date'),
  },
  { name: 'revenuecat', create: revenuecat, ...textSecret, coverage: 'none', proof: inHeader('authorization') },
  { name: 'wise', create: wise, ...pemKeys('rsa'), coverage: 'all', proof: inHeader('x-signature-sha256') },
])
