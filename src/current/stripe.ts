import type { FetchCurrent } from '../verify/provider.ts'

/** The part of a Stripe client that is needed here, so that the package stays out of our dependencies. It has it since version 17. */
export type StripeLike = {
  rawRequest(
    method: string,
    path: string,
    parameters?: undefined,
    options?: { stripeAccount?: string; stripeContext?: string },
  ): Promise<unknown>
}

/** The object of an event, as far as it is looked at. */
type Named = { readonly object?: unknown; readonly id?: unknown; readonly [field: string]: unknown }

/**
 * Reads the object of a Stripe event as it is now: `stripe({ secret, fetchCurrent: stripeObject(new Stripe(key)) })`.
 * An event of a connected account is looked up in that account. What an event says is deleted, and is, is `{ id, object, deleted: true }`.
 * Stripe's client cannot be aborted: give it a `timeout` below the 10 s after which `fetchCurrent()` gives up.
 */
export function stripeObject(client: StripeLike): FetchCurrent {
  return async ({ type, payload }, signal) => {
    signal.throwIfAborted()
    const path = payload?.data?.object === undefined ? pathOfThinEvent(payload) : pathOf(payload.data.object)
    try {
      return await client.rawRequest('GET', path, undefined, accountOf(payload, path))
    } catch (error) {
      const { id, object } = payload.data?.object ?? { ...payload.related_object, object: payload.related_object?.type }
      if (isMissing(error) && type.endsWith('.deleted')) return { id, object, deleted: true }
      throw error
    }
  }
}

/** Each is `/v1/<name>s/<id>`, a dot being a slash. */
const regular: ReadonlySet<string> = new Set([
  'account',
  'application_fee',
  'billing.alert',
  'billing.credit_grant',
  'billing.meter',
  'billing_portal.configuration',
  'charge',
  'checkout.session',
  'climate.order',
  'coupon',
  'credit_note',
  'customer',
  'dispute',
  'file',
  'financial_connections.account',
  'identity.verification_session',
  'invoice',
  'invoice_payment',
  'invoiceitem',
  'issuing.authorization',
  'issuing.card',
  'issuing.cardholder',
  'issuing.dispute',
  'issuing.personalization_design',
  'issuing.token',
  'issuing.transaction',
  'mandate',
  'payment_intent',
  'payment_link',
  'payment_method',
  'payout',
  'plan',
  'price',
  'product',
  'promotion_code',
  'quote',
  'radar.early_fraud_warning',
  'refund',
  'reporting.report_run',
  'review',
  'setup_intent',
  'subscription',
  'subscription_schedule',
  'tax_id',
  'tax_rate',
  'terminal.reader',
  'test_helpers.test_clock',
  'topup',
  'transfer',
  'treasury.credit_reversal',
  'treasury.debit_reversal',
  'treasury.financial_account',
  'treasury.inbound_transfer',
  'treasury.outbound_payment',
  'treasury.outbound_transfer',
  'treasury.received_credit',
  'treasury.received_debit',
])

/** Those that belong to another object, whose id they have in a field. */
const ofOwners: Readonly<Record<string, string>> = {
  bank_account: '/v1/customers/{customer}/sources/{id}',
  capability: '/v1/accounts/{account}/capabilities/{id}',
  card: '/v1/customers/{customer}/sources/{id}',
  customer_cash_balance_transaction: '/v1/customers/{customer}/cash_balance_transactions/{id}',
  fee_refund: '/v1/application_fees/{fee}/refunds/{id}',
  person: '/v1/accounts/{account}/persons/{id}',
}

function pathOf(named: Named): string {
  const { object: name } = named
  if (typeof name !== 'string') throw new Error('The event has no object of a kind that could be read')
  const owned = Object.hasOwn(ofOwners, name) ? ofOwners[name] : undefined
  const template = owned ?? (regular.has(name) ? `/v1/${name.replace('.', '/')}s/{id}` : undefined)
  if (template === undefined) {
    throw new Error(`It is not known where Stripe has objects of the kind "${name}": give a fetchCurrent of your own`)
  }
  return template.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    const id = named[field]
    // An upcoming invoice is one that does not exist yet.
    if (typeof id !== 'string' || id === '') throw new Error(`This ${name} has no "${field}" by which it could be read`)
    return encodeURIComponent(id)
  })
}

/** A thin event has nothing but the path of its object. */
function pathOfThinEvent(payload: { readonly related_object?: { readonly url?: unknown } | null }): string {
  const path = payload?.related_object?.url
  const isPath = typeof path === 'string' && /^\/v[12]\/[\w./%-]+$/.test(path) && !path.includes('..')
  if (!isPath) throw new Error('The event is not about an object that could be read')
  return path
}

/** Accounts and what is part of them are read by the platform itself, everything else in the account it is in. */
function accountOf(
  payload: { readonly account?: unknown; readonly context?: unknown },
  path: string,
): { stripeAccount?: string; stripeContext?: string } {
  const { account, context } = payload
  if (typeof context === 'string' && context !== '') return { stripeContext: context }
  if (typeof account !== 'string' || path.startsWith('/v1/accounts/')) return {}
  return { stripeAccount: account }
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'statusCode' in error && error.statusCode === 404
}
