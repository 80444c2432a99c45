import { invalidOptions } from '../errors.ts'
import type { EventHistory, HistoryQuestion } from '../verify/event-history.ts'
import { compositeId } from '../verify/safe-id.ts'
import {
  type ApiAnswer,
  createApi,
  documentOf,
  type FetchLike,
  historyFailed,
  type RequestOptions,
  retryAfter,
  sendByFetch,
} from './api.ts'
import { itemsOf, membersOf } from './json-slices.ts'
import { type ChangedObject, objectHistory } from './objects.ts'

/** Which shop is asked, and with what. */
export type ShopifyOrdersOptions = RequestOptions & {
  /** `example.myshopify.com` */
  readonly shop: string
  /** Of an app that may read orders; older than 60 days, it needs the right to read all orders. */
  readonly accessToken: string | undefined
  /** As in the address of the Admin API. Default `2026-10`. */
  readonly apiVersion?: string
  /** What the events that are made of orders say they are. Default `orders/updated`. */
  readonly topic?: string
  /** See `objectHistory`. Default 60. */
  readonly toleranceSeconds?: number
  /** The endpoint as Shopify calls it, for sources that tell tenants by the address. */
  readonly url?: string
  readonly apiUrl?: string
  readonly fetch?: FetchLike
}

/**
 * The orders of a shop that were changed: `shopify({ secret, history: shopifyOrders({ shop, accessToken }) })`. Shopify keeps no log of
 * webhooks that could be asked for, so this is a comparison of objects; see `objectHistory` for what that means.
 * By the REST Admin API, whose orders look as those of webhooks do.
 */
export function shopifyOrders(options: ShopifyOrdersOptions): EventHistory {
  checkOptions(options)
  const { shop, apiVersion = '2026-10', topic = 'orders/updated', toleranceSeconds, accessToken = '' } = options
  const { url = 'https://history.invalid/', apiUrl = `https://${shop}` } = options
  const ask = createApi({
    ...options,
    name: 'Shopify',
    // What Shopify gives back in a second, on most plans.
    requestsPerSecond: options.requestsPerSecond ?? 2,
    send: sendByFetch(apiUrl, { accept: 'application/json', 'x-shopify-access-token': accessToken }, options.fetch),
    askedToWait: (answer, now) => (answer.status === 429 ? (retryAfter(answer, now) ?? 2000) : undefined),
    advice,
  })

  return objectHistory({
    name: `the orders of ${shop} on Shopify`,
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    async list(question) {
      const answer = await ask({
        method: 'GET',
        path: `/admin/api/${apiVersion}/orders.json?${queryOf(question)}`,
        signal: question.signal,
      })
      documentOf('Shopify', answer)
      const texts = itemsOf(membersOf(answer.text).get('orders') ?? '')
      return { objects: texts.map(toObject), next: nextPage(answer) }
    },
  })

  function toObject(text: string): ChangedObject {
    const { updated_at } = JSON.parse(text) as { readonly updated_at: string }
    const id = membersOf(text).get('id') ?? ''
    const changedAt = new Date(updated_at)
    if (id === '' || Number.isNaN(changedAt.getTime()))
      throw historyFailed('Shopify listed an order without an id or a time.')
    const eventId = compositeId(['reconciled', topic, id, changedAt.toISOString()]) ?? ''
    return {
      id,
      changedAt,
      eventId,
      type: topic,
      delivery: {
        url,
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': topic,
          'x-shopify-shop-domain': shop,
          'x-shopify-api-version': apiVersion,
          'x-shopify-webhook-id': eventId,
          'x-shopify-triggered-at': changedAt.toISOString(),
        },
        body: text,
      },
    }
  }
}

/** A page that follows another one may have no conditions of its own. */
function queryOf({ from, to, cursor }: HistoryQuestion): string {
  const query =
    cursor === undefined
      ? {
          limit: '250',
          status: 'any',
          order: 'updated_at asc',
          updated_at_min: from.toISOString(),
          // Shopify's end is part of the range, ours is not.
          updated_at_max: new Date(to.getTime() - 1000).toISOString(),
        }
      : { limit: '250', page_info: cursor }
  return new URLSearchParams(query).toString()
}

function nextPage(answer: ApiAnswer): string | undefined {
  const address = /<([^>]+)>;\s*rel="?next"?/.exec(answer.header('link') ?? '')?.[1]
  return address !== undefined && URL.canParse(address)
    ? (new URL(address).searchParams.get('page_info') ?? undefined)
    : undefined
}

function advice(status: number): string {
  if (status === 400)
    return 'If this goes on with an interrupted run, its place in the list has expired: begin a new one.'
  if (status === 401 || status === 403) return 'The access token is not of this shop, or may not read orders.'
  if (status === 404) return 'Are the shop and apiVersion right?'
  return 'Look at the options of the history.'
}

function checkOptions({ shop, accessToken, apiUrl }: ShopifyOrdersOptions): void {
  const mistakes = [
    ...(apiUrl !== undefined || /^[\w-]+(\.[\w-]+)+$/.test(shop ?? '')
      ? []
      : ['shop must be as in example.myshopify.com.']),
    ...(accessToken === undefined || accessToken === ''
      ? ['accessToken is missing: give that of an app that may read orders.']
      : []),
  ]
  if (mistakes.length > 0) throw invalidOptions('The history of Shopify', mistakes)
}
