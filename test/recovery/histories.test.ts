import { setTimeout as pause } from 'node:timers/promises'
import { Octokit } from '@octokit/core'
import { Stripe } from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { type GithubHook, githubHistory } from '../../src/history/github.ts'
import { shopifyOrders } from '../../src/history/shopify.ts'
import { stripeHistory } from '../../src/history/stripe.ts'
import type { EventHistory, HistoricEvent } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { stripe } from '../../src/providers/stripe.ts'
import type { FakeApi } from './fake-api.ts'
import { type FakeHookDelivery, githubToken, startFakeGithub } from './fake-github.ts'
import { shopifyToken, startFakeShopify } from './fake-shopify.ts'
import { type FakeStripeEvent, startFakeStripe, stripeKey } from './fake-stripe.ts'

const from = new Date('2026-11-01T00:00:00Z')
const to = new Date('2026-11-02T00:00:00Z')
const signal = new AbortController().signal
const start = from.getTime() / 1000
const place = '/repos/octo-org/hello/hooks/42/deliveries'

const opened: FakeApi[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((api) => api.close()))
})

async function kept<Api extends FakeApi>(starting: Promise<Api>): Promise<Api> {
  const api = await starting
  opened.push(api)
  return api
}

/** All of it. Every page is asked for by a history of its own, as after a restart. */
async function readAll(make: () => EventHistory, types?: readonly string[]): Promise<readonly HistoricEvent[]> {
  const events: HistoricEvent[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await make().list({ from, to, cursor, types, signal })
    events.push(...page.events)
    if (page.next === undefined) return events
    cursor = page.next
  }
}

const idsOf = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id)

function stripeEvent(id: string, second: number, type = 'invoice.paid'): FakeStripeEvent {
  return { id, type, created: start + second }
}

describe('the history of Stripe', () => {
  const fast = { apiKey: stripeKey, requestsPerSecond: 10_000 }

  test('has every event of the time once, oldest first, also a thousand and more of one second', async () => {
    const calm = Array.from({ length: 50 }, (_, number) => stripeEvent(`evt_calm_${number}`, number * 1000))
    const storm = Array.from({ length: 1100 }, (_, number) => stripeEvent(`evt_storm_${number}`, 50_500))
    const rush = Array.from({ length: 1200 }, (_, number) =>
      stripeEvent(`evt_rush_${number}`, 60_000 + Math.floor(number / 10)),
    )
    const outside = [stripeEvent('evt_before', -1), stripeEvent('evt_after', 86_400)]
    const all = [...calm, ...storm, ...rush].toSorted((one, other) => one.created - other.created)
    const api = await kept(startFakeStripe([...outside, ...all].toSorted((one, other) => one.created - other.created)))

    const events = await readAll(() => stripeHistory({ ...fast, apiUrl: api.url }))

    expect(idsOf(events)).toEqual(idsOf(all))
  })

  test('gives what the source takes for the webhook', async () => {
    const api = await kept(startFakeStripe([stripeEvent('evt_1', 10)]))

    const [event] = await readAll(() => stripeHistory({ ...fast, apiUrl: api.url, account: 'acct_1' }))

    const delivery = (await event?.fetch(signal)) ?? {}
    expect(stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }).identify(delivery)).toEqual([
      { id: 'evt_1', type: 'invoice.paid', objectId: 'in_evt_1', occurredAt: new Date((start + 10) * 1000) },
    ])
    expect(JSON.parse(String(delivery.body))).toMatchObject({
      object: 'event',
      account: 'acct_1',
      data: { object: { amount_paid: 4200 } },
    })
  })

  test('asks for few types by name, and for many or patterns not at all', async () => {
    const api = await kept(startFakeStripe([stripeEvent('evt_1', 10), stripeEvent('evt_2', 11, 'charge.failed')]))
    const history = (): EventHistory => stripeHistory({ ...fast, apiUrl: api.url })

    expect(idsOf(await readAll(history, ['charge.failed']))).toEqual(['evt_2'])
    expect(idsOf(await readAll(history, ['charge.*']))).toEqual(['evt_1', 'evt_2'])
  })

  test('waits when Stripe says so, tries again when it fails, and gives up on a wrong key without repeating it', async () => {
    const api = await kept(startFakeStripe([stripeEvent('evt_1', 10)]))
    const waits: number[] = []
    const clock = fastClock((milliseconds) => (waits.push(milliseconds), pause(0)))
    api.answerNext({ status: 429, headers: { 'retry-after': '7' } }, { status: 500 }, { status: 429 })

    const events = await readAll(() => stripeHistory({ ...fast, apiUrl: api.url, clock }))
    const refused = await readAll(() => stripeHistory({ apiKey: 'sk_wrong_key', apiUrl: api.url })).catch(
      (error: Error) => error,
    )

    expect(idsOf(events)).toEqual(['evt_1'])
    // What is left of a second when it is waited for may be a millisecond less.
    expect(waits.map((wait) => Math.round(wait / 1000)).filter((seconds) => seconds > 0)).toEqual([7, 1, 1])
    expect(refused).toMatchObject({ code: 'ONCEHOOK_HISTORY_FAILED', status: 401 })
    expect(refused instanceof Error ? refused.message : '').not.toContain('sk_wrong_key')
  })

  test('can be asked through Stripe’s own client', async () => {
    const api = await kept(
      startFakeStripe(Array.from({ length: 250 }, (_, number) => stripeEvent(`evt_${number}`, number))),
    )
    const { hostname, port } = new URL(api.url)
    const client = new Stripe(stripeKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
    api.answerNext({
      status: 429,
      headers: { 'retry-after': '0' },
      body: { error: { type: 'rate_limit_error', message: 'slow' } },
    })

    const events = await readAll(() => stripeHistory({ client, requestsPerSecond: 10_000 }), ['invoice.paid'])

    expect(events).toHaveLength(250)
    expect(api.requests[1]).toMatch(/types\[0\]=invoice\.paid|types\[\]=invoice\.paid/)
  })

  test('is refused without a key', () => {
    expect(() => stripeHistory({ apiKey: process.env['NO_SUCH_KEY'] })).toThrow('apiKey is missing')
  })
})

function hookDelivery(number: number, parts: Partial<FakeHookDelivery> = {}): FakeHookDelivery {
  return {
    id: String(90_071_992_547_409_900n + BigInt(number)),
    guid: `guid-${String(number).padStart(4, '0')}`,
    event: 'push',
    deliveredAt: new Date(from.getTime() + number * 1000),
    ...parts,
  }
}

describe('the history of GitHub', () => {
  const hook: GithubHook = { repository: 'octo-org/hello', id: 42 }
  const options = { hook, token: githubToken, requestsPerSecond: 10_000 }

  test('has every event of the time once, oldest first, however often it was delivered', async () => {
    const deliveries = Array.from({ length: 250 }, (_, number) => hookDelivery(number))
    const again = hookDelivery(900, { guid: 'guid-0007' })
    const outside = [hookDelivery(-5), hookDelivery(86_400)]
    const api = await kept(startFakeGithub(place, '42', [...deliveries, again, ...outside]))

    const events = await readAll(() => githubHistory({ ...options, apiUrl: api.url }))

    expect(idsOf(events)).toEqual(deliveries.map(({ guid }) => `42:${guid}`))
  })

  test('gives what the source takes for the webhook, digits and all, also of a form', async () => {
    const form = { contentType: 'application/x-www-form-urlencoded', payload: { ref: 'a&b=c' } }
    const api = await kept(startFakeGithub(place, '42', [hookDelivery(1), hookDelivery(2, form)]))
    const source = github({ secret: 'a secret of the hook' })

    const [plain, inForm] = await readAll(() => githubHistory({ ...options, apiUrl: api.url }))

    const delivery = (await plain?.fetch(signal)) ?? {}
    expect(source.identify(delivery)).toEqual([{ id: '42:guid-0001', type: 'push', deliveryId: 'guid-0001' }])
    expect(source.identify(plain?.outline ?? {})).toEqual(source.identify(delivery))
    expect(delivery.body).toBe('{"zen": "Keep it logically awesome.", "big": 12345678901234567890}')
    expect((await inForm?.fetch(signal))?.body).toBe('payload=%7B%22ref%22%3A%22a%26b%3Dc%22%7D')
  })

  test('knows the hook of an app by its deliveries, and that of an organisation by its number', async () => {
    const ofApp = await kept(startFakeGithub('/app/hook/deliveries', '7', [hookDelivery(1)]))
    const ofOrganisation = await kept(startFakeGithub('/orgs/octo-org/hooks/8/deliveries', '8', [hookDelivery(1)]))

    const app = await readAll(() => githubHistory({ ...options, hook: 'app', apiUrl: ofApp.url }))
    const organisation = await readAll(() =>
      githubHistory({ ...options, hook: { organization: 'octo-org', id: '8' }, apiUrl: ofOrganisation.url }),
    )

    expect([...idsOf(app), ...idsOf(organisation)]).toEqual(['7:guid-0001', '8:guid-0001'])
  })

  test('asks for a redelivery by the number of the newest attempt', async () => {
    const again = hookDelivery(900, { guid: 'guid-0001' })
    const api = await kept(startFakeGithub(place, '42', [hookDelivery(1), again]))

    const [event] = await readAll(() => githubHistory({ ...options, apiUrl: api.url }))
    await event?.redeliver?.(signal)

    expect(api.asked).toEqual(['guid-0001'])
    expect(api.requests.at(-1)).toBe(`POST ${place}/${again.id}/attempts`)
  })

  test('heeds both of GitHub’s limits', async () => {
    const api = await kept(startFakeGithub(place, '42', [hookDelivery(1)]))
    const waits: number[] = []
    const clock = fastClock((milliseconds) => (waits.push(Math.round(milliseconds / 1000)), pause(0)))
    const reset = String(Math.floor(Date.now() / 1000) + 120)
    api.answerNext(
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } },
      { status: 403, body: { message: 'You have exceeded a secondary rate limit. Please wait.' } },
      { status: 429, headers: { 'retry-after': '5' } },
    )

    const events = await readAll(() => githubHistory({ ...options, apiUrl: api.url, clock }))
    api.answerNext({ status: 403, body: { message: 'Resource not accessible by personal access token' } })
    const refused = await readAll(() => githubHistory({ ...options, apiUrl: api.url })).catch(
      (error: Error) => error.message,
    )

    expect(idsOf(events)).toEqual(['42:guid-0001'])
    expect(waits.filter((seconds) => seconds > 0)).toEqual([expect.closeTo(120, -1), 60, 5])
    expect(refused).toContain('may not read the deliveries of this hook')
  })

  test('can be asked through Octokit, unless that would round the numbers of deliveries', async () => {
    const short = await kept(
      startFakeGithub(
        place,
        '42',
        Array.from({ length: 120 }, (_, number) => hookDelivery(number, { id: String(number + 1) })),
      ),
    )
    const long = await kept(startFakeGithub(place, '42', [hookDelivery(1, { id: '90071992547409993' })]))
    const client = (baseUrl: string): Octokit =>
      new Octokit({ auth: githubToken, baseUrl, request: { fetch: withBearer } })
    const rounding = {
      request: async () => ({ status: 200, headers: {}, data: [{ id: Number('90071992547409993') }] }),
    }

    const events = await readAll(() => githubHistory({ hook, client: client(short.url), requestsPerSecond: 10_000 }))
    const [exact] = await readAll(() => githubHistory({ hook, client: client(long.url) }))
    const delivery = await exact?.fetch(signal)
    const rounded = await readAll(() => githubHistory({ hook, client: rounding })).catch(
      (error: Error) => error.message,
    )

    expect(events).toHaveLength(120)
    expect(long.requests.at(-1)).toBe(`GET ${place}/90071992547409993`)
    expect(delivery?.body).toBe('{"zen":"Keep it logically awesome.","big":12345678901234567890}')
    expect(rounded).toContain('give a token instead of a client')
  })

  test.each([
    [{ hook: { repository: 'hello', id: 1 }, token: 't' }, 'hook must be'],
    [{ hook: { organization: 'octo', id: 'one' }, token: 't' }, 'hook must be'],
    [{ hook: 'app' }, 'token is missing'],
  ])('is refused as %j', (wrong, complaint) => {
    expect(() => githubHistory(wrong as Parameters<typeof githubHistory>[0])).toThrow(complaint)
  })
})

describe('the orders of a Shopify shop', () => {
  const options = { shop: 'example.myshopify.com', accessToken: shopifyToken, requestsPerSecond: 10_000 }

  test('are events of their last change, oldest first, over several pages', async () => {
    const orders = [3, 1, 2, 5, 4].map((number) => ({
      id: String(number),
      updatedAt: new Date(from.getTime() + number * 60_000),
    }))
    const late = { id: '9', updatedAt: to }
    const api = await kept(startFakeShopify([...orders, late]))

    const events = await readAll(() => shopifyOrders({ ...options, apiUrl: api.url }))

    const source = shopify({ secret: 'a secret of the app' })
    expect(events.map(({ object }) => object?.id)).toEqual(['1', '2', '3', '4', '5'])
    expect(source.identify((await events[0]?.fetch(signal)) ?? {})).toEqual([
      {
        id: 'reconciled:orders/updated:1:2026-11-01T00%3A01%3A00.000Z',
        type: 'orders/updated',
        objectId: '1',
        occurredAt: new Date('2026-11-01T00:01:00Z'),
      },
    ])
    expect(String((await events[0]?.fetch(signal))?.body)).toContain('98765432109876543210')
  })

  test('wait as long as Shopify says, and end with advice', async () => {
    const api = await kept(startFakeShopify([]))
    const waits: number[] = []
    const clock = fastClock((milliseconds) => (waits.push(Math.round(milliseconds / 1000)), pause(0)))
    api.answerNext({ status: 429, headers: { 'retry-after': '2.0' } })

    const events = await readAll(() => shopifyOrders({ ...options, apiUrl: api.url, clock }))
    const refused = await readAll(() => shopifyOrders({ ...options, accessToken: 'other', apiUrl: api.url })).catch(
      (error: Error) => error.message,
    )

    expect(events).toEqual([])
    expect(waits.filter((seconds) => seconds > 0)).toEqual([2])
    expect(refused).toBe('Shopify answered 401. The access token is not of this shop, or may not read orders.')
  })

  test('are refused without a shop or a token', () => {
    expect(() => shopifyOrders({ shop: 'https://example', accessToken: undefined })).toThrow(
      /shop must be .*\n.*accessToken is missing/,
    )
  })
})

/** A clock whose waits are over at once, and whose time goes on by them. */
function fastClock(onWait: (milliseconds: number) => Promise<unknown>): {
  now: () => Date
  wait: (milliseconds: number) => Promise<void>
} {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    async wait(milliseconds) {
      ahead += milliseconds
      await onWait(milliseconds)
    },
  }
}

/** Octokit says `token`, GitHub takes both. */
const withBearer: typeof fetch = (url, init) => {
  const headers = { ...(init?.headers as Record<string, string>), authorization: `Bearer ${githubToken}` }
  return fetch(url, { ...init, headers })
}
