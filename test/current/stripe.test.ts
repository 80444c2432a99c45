import { Stripe } from 'stripe'
import { describe, expect } from 'vitest'
import { stripeObject } from '../../src/current/stripe.ts'
import type { OncehookError } from '../../src/index.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { type FakeApi, test } from './fake-api.ts'

/** The real client, which talks to the API of the test. Patient, because a busy machine takes its time over an answer that does come. */
function clientOf({ port }: FakeApi, timeout = 30_000): Stripe {
  return new Stripe('sk_test_1', { host: '127.0.0.1', port, protocol: 'http', timeout, maxNetworkRetries: 0 })
}

function eventAbout(
  object: object,
  more: object = {},
  type = 'invoice.paid',
): Parameters<ReturnType<typeof stripeObject>>[0] {
  return { id: 'evt_1', type, objectId: undefined, payload: { id: 'evt_1', type, data: { object }, ...more } }
}

const signal = new AbortController().signal

describe('the object of a Stripe event', () => {
  test.for([
    [{ object: 'invoice', id: 'in_1' }, '/v1/invoices/in_1'],
    [{ object: 'checkout.session', id: 'cs_1' }, '/v1/checkout/sessions/cs_1'],
    [{ object: 'radar.early_fraud_warning', id: 'issfr_1' }, '/v1/radar/early_fraud_warnings/issfr_1'],
    [{ object: 'person', id: 'person_1', account: 'acct_1' }, '/v1/accounts/acct_1/persons/person_1'],
    [{ object: 'card', id: 'card_1', customer: 'cus_1' }, '/v1/customers/cus_1/sources/card_1'],
    [{ object: 'coupon', id: '../25 % off' }, '/v1/coupons/..%2F25%20%25%20off'],
  ] as const)('is read by its kind and id: %j', async ([object, path], { api }) => {
    api.answer(path, { status: 200, body: { ...object, now: true } })

    const current = await stripeObject(clientOf(api))(eventAbout(object), signal)

    expect(current).toMatchObject({ ...object, now: true })
    expect(api.seen).toMatchObject([{ method: 'GET', path, headers: { authorization: 'Bearer sk_test_1' } }])
  })

  test('is read in the connected account that it belongs to', async ({ api }) => {
    const charge = { object: 'charge', id: 'ch_1' }
    api.answer('/v1/charges/ch_1', { status: 200, body: charge })

    await stripeObject(clientOf(api))(eventAbout(charge, { account: 'acct_7' }), signal)

    expect(api.seen[0]?.headers['stripe-account']).toBe('acct_7')
  })

  test('is read by the platform if it is the connected account itself', async ({ api }) => {
    const account = { object: 'account', id: 'acct_7' }
    api.answer('/v1/accounts/acct_7', { status: 200, body: account })

    await stripeObject(clientOf(api))(eventAbout(account, { account: 'acct_7' }, 'account.updated'), signal)

    expect(api.seen[0]?.headers).not.toHaveProperty('stripe-account')
  })

  test('is read at the path that a thin event names, in its context', async ({ api }) => {
    const path = '/v2/core/accounts/acct_1'
    const payload = { context: 'acct_0', related_object: { id: 'acct_1', type: 'v2.core.account', url: path } }
    api.answer(path, { status: 200, body: { id: 'acct_1' } })

    const current = await stripeObject(clientOf(api))({ ...eventAbout({}), payload }, signal)

    expect(current).toMatchObject({ id: 'acct_1' })
    expect(api.seen).toMatchObject([{ path, headers: { 'stripe-context': 'acct_0' } }])
  })

  test('is marked as deleted if the event says so and Stripe has it no more', async ({ api }) => {
    const product = { object: 'product', id: 'prod_1' }
    const fetchCurrent = stripeObject(clientOf(api))

    const deleted = await fetchCurrent(eventAbout(product, {}, 'product.deleted'), signal)

    expect(deleted).toEqual({ id: 'prod_1', object: 'product', deleted: true })
    await expect(fetchCurrent(eventAbout(product, {}, 'product.updated'), signal)).rejects.toThrow('No such object')
  })

  test('is still read if a deleted one is kept, as a subscription is', async ({ api }) => {
    const subscription = { object: 'subscription', id: 'sub_1', status: 'canceled' }
    api.answer('/v1/subscriptions/sub_1', { status: 200, body: subscription })

    const current = await stripeObject(clientOf(api))(
      eventAbout(subscription, {}, 'customer.subscription.deleted'),
      signal,
    )

    expect(current).toMatchObject(subscription)
  })

  test.for([
    ['of a kind that is not known', { object: 'discount', id: 'di_1' }, 'objects of the kind "discount"'],
    ['of a kind that is a name of JavaScript', { object: 'constructor', id: 'x' }, 'objects of the kind "constructor"'],
    ['that does not exist yet', { object: 'invoice' }, 'This invoice has no "id"'],
    ['whose owner is not named', { object: 'card', id: 'card_1', customer: null }, 'This card has no "customer"'],
    ['without a kind', {}, 'no object of a kind'],
  ] as const)('is refused without a request: one %s', async ([, object, message], { api }) => {
    await expect(stripeObject(clientOf(api))(eventAbout(object), signal)).rejects.toThrow(message)

    expect(api.seen).toEqual([])
  })

  test.for(['https://elsewhere.example/v1/x', '/v1/../secret', '//elsewhere.example/v1', undefined])(
    'is not read at %j, which is no path of the API',
    async (url, { api }) => {
      const payload = { related_object: { id: 'x', url } }

      await expect(stripeObject(clientOf(api))({ ...eventAbout({}), payload }, signal)).rejects.toThrow('not about')

      expect(api.seen).toEqual([])
    },
  )
})

describe('a handler that asks for the current object', () => {
  test.for([
    [
      'a failure of the API',
      { status: 500, body: { error: { type: 'api_error', message: 'Try later' } } },
      'Try later',
    ],
    [
      'an API that does not have it',
      { status: 404, body: { error: { message: 'No such invoice' } } },
      'No such invoice',
    ],
    ['an API that does not answer', 'never', 'Request aborted due to timeout being reached (200ms)'],
  ] as const)('is run again after %s', async ([, answer, message], { api, makeInbox }) => {
    const invoice = { object: 'invoice', id: 'in_1', status: 'paid' }
    api.answer('/v1/invoices/in_1', answer, { status: 200, body: invoice })
    // Only what never comes is not waited for.
    const clients = answer === 'never' ? [clientOf(api, 200)] : []
    const fetchCurrent: ReturnType<typeof stripeObject> = (event, within) =>
      stripeObject(clients.shift() ?? clientOf(api))(event, within)
    const inbox = makeInbox({ mode: 'queued', source: { fetchCurrent } })
    const seen: unknown[] = []
    const codes: unknown[] = []
    inbox.on('stripe', '*', async (_, { fetchCurrent }) => {
      const current = await fetchCurrent().catch((error: OncehookError) => {
        codes.push(error.code)
        throw error
      })
      seen.push(current.status)
    })
    await inbox.start()

    await inbox.receive(
      'stripe',
      stripeDelivery('evt_1', 'invoice.paid', { data: { object: { ...invoice, status: 'open' } } }),
    )
    await inbox.handled('succeeded')

    const [failure] = await inbox.handled('retrying')
    expect(failure?.error).toContain('The current state of stripe object in_1 could not be fetched')
    expect(failure?.error).toContain(message)
    expect(codes).toEqual(['ONCEHOOK_FETCH_FAILED'])
    expect(seen).toEqual(['paid'])
    expect(await inbox.receipts.find()).toMatchObject([{ status: 'processed', attempts: 2 }])
  })
})
