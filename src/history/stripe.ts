import { invalidOptions } from '../errors.ts'
import type { EventHistory, HistoricEvent } from '../verify/event-history.ts'
import type { RequestOptions } from './api.ts'
import {
  type ApiAnswer,
  createApi,
  documentOf,
  type FetchLike,
  retryAfter,
  type SendRequest,
  sendByFetch,
} from './api.ts'
import { itemsOf, membersOf } from './json-slices.ts'

/** The part of a Stripe client that is needed here, so that the package stays out of our dependencies. */
export type StripeEventsLike = {
  readonly events: {
    list(
      parameters: Record<string, unknown>,
      options?: { stripeAccount?: string },
    ): PromiseLike<{ readonly data: readonly unknown[]; readonly has_more: boolean }>
  }
}

/** Which account of Stripe is asked, and with what. */
export type StripeHistoryOptions = RequestOptions & {
  /** A secret or restricted key that may read events. Or give a `client`. */
  readonly apiKey?: string | undefined
  /** Your own client, `new Stripe(apiKey)`. */
  readonly client?: StripeEventsLike
  /** The connected account whose events are meant. */
  readonly account?: string
  /** The endpoint as Stripe calls it, for sources that tell tenants by the address. */
  readonly url?: string
  readonly apiUrl?: string
  readonly fetch?: FetchLike
}

/**
 * The events of a Stripe account, for 30 days: `stripe({ secret, history: stripeHistory({ apiKey }) })`. It has all events of the account,
 * also of types that the endpoint is not subscribed to.
 */
export function stripeHistory(options: StripeHistoryOptions): EventHistory {
  const { apiKey, client, account, url = 'https://history.invalid/' } = options
  if ((apiKey === undefined || apiKey === '') && client === undefined) {
    throw invalidOptions('The history of Stripe', ['apiKey is missing: give a key that may read events, or a client.'])
  }
  const ask = createApi({
    ...options,
    name: 'Stripe',
    // Stripe allows 25 in a sandbox and 100 in live mode, shared with the rest of the account.
    requestsPerSecond: options.requestsPerSecond ?? 10,
    send:
      client === undefined
        ? sendByFetch(options.apiUrl ?? stripeApi, headersOf(options), options.fetch)
        : sendByClient(client, account),
    askedToWait: (answer, now) => (answer.status === 429 ? (retryAfter(answer, now) ?? 1000) : undefined),
    advice,
  })

  return {
    name: account === undefined ? 'the events of Stripe' : `the events of Stripe account ${account}`,
    daysKept: 30,
    async list({ from, to, cursor, types, signal }) {
      const end = Math.ceil(to.getTime() / 1000)
      let { at, seconds } = readCursor(cursor) ?? { at: Math.floor(from.getTime() / 1000), seconds: 900 }
      for (;;) {
        if (at >= end) return { events: [], next: undefined }
        const until = Math.min(end, at + seconds)
        const listed = await listBetween({ at, until, types, signal })
        if (listed.kind === 'too_many') {
          seconds = listed.fittingSeconds
          continue
        }
        const factor = listed.texts.length < pageSize ? 4 : listed.texts.length < mostAtOnce / 2 ? 2 : 1
        const next =
          until >= end ? undefined : JSON.stringify({ at: until, seconds: Math.min(86_400, seconds * factor) })
        return { events: listed.texts.toReversed().map(toEvent), next }
      }
    },
  }

  /** Stripe lists the newest first and the ledger wants the oldest first, so it is asked for one stretch of time after the other. */
  async function listBetween(stretch: Stretch): Promise<Listed> {
    const { at, until, types, signal } = stretch
    const texts: string[] = []
    for (let after: string | undefined; ; ) {
      const path = `/v1/events?${queryOf({ at, until, types, after })}`
      const answer = await ask({ method: 'GET', path, signal })
      const { has_more } = documentOf('Stripe', answer) as { readonly has_more?: boolean }
      const page = itemsOf(membersOf(answer.text).get('data') ?? '')
      texts.push(...page)
      const oldest = page.at(-1)
      if (has_more !== true || oldest === undefined) return { kind: 'listed', texts }
      const { id, created } = JSON.parse(oldest) as StripeEvent
      if (texts.length >= mostAtOnce && until - at > 1) {
        return {
          kind: 'too_many',
          fittingSeconds: Math.max(1, Math.floor(Math.min(until - created, until - at - 1) / 2)),
        }
      }
      after = id
    }
  }

  function toEvent(text: string): HistoricEvent {
    const { id, type, created, account: named } = JSON.parse(text) as StripeEvent
    // Connect's webhooks name the account; the list of that very account does not.
    const body = account === undefined || named !== undefined ? text : withAccount(text, account)
    const delivery = { url, headers: { 'content-type': 'application/json; charset=utf-8' }, body }
    return {
      id,
      type,
      occurredAt: typeof created === 'number' ? new Date(created * 1000) : undefined,
      outline: delivery,
      fetch: () => Promise.resolve(delivery),
    }
  }
}

type StripeEvent = { readonly id: string; readonly type: string; readonly created: number; readonly account?: string }

type Stretch = {
  readonly at: number
  readonly until: number
  readonly types: readonly string[] | undefined
  readonly signal: AbortSignal
}

type Listed =
  | { readonly kind: 'listed'; readonly texts: readonly string[] }
  | { readonly kind: 'too_many'; readonly fittingSeconds: number }

const stripeApi = 'https://api.stripe.com'
/** The most that Stripe gives. */
const pageSize = 100
/** What is held in memory at once; more in one second is held all the same. */
const mostAtOnce = 1000
/** Stripe takes no more than these, and no patterns among them. */
const mostTypes = 20

function queryOf({
  at,
  until,
  types = [],
  after,
}: Omit<Stretch, 'signal'> & { readonly after: string | undefined }): string {
  const query = new URLSearchParams({
    limit: String(pageSize),
    'created[gte]': String(at),
    'created[lt]': String(until),
  })
  if (types.length <= mostTypes && !types.some((type) => type.includes('*'))) {
    for (const type of types) query.append('types[]', type)
  }
  if (after !== undefined) query.set('starting_after', after)
  return query.toString()
}

function headersOf({ apiKey = '', account }: StripeHistoryOptions): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${apiKey}`, ...(account !== undefined && { 'stripe-account': account }) }
}

/** Stripe's own client, asked the same. */
function sendByClient(client: StripeEventsLike, account: string | undefined): SendRequest {
  return async ({ path }) => {
    const query = new URL(path, stripeApi).searchParams
    const types = query.getAll('types[]')
    const parameters = {
      limit: pageSize,
      created: { gte: Number(query.get('created[gte]')), lt: Number(query.get('created[lt]')) },
      ...(types.length > 0 && { types }),
      ...(query.has('starting_after') && { starting_after: query.get('starting_after') }),
    }
    try {
      const { data, has_more } = await client.events.list(
        parameters,
        account === undefined ? {} : { stripeAccount: account },
      )
      return { status: 200, header: () => undefined, text: JSON.stringify({ data, has_more }) }
    } catch (error) {
      return answerOfError(error)
    }
  }
}

/** What Stripe's client throws has the status and the headers of the answer; anything else is no answer at all. */
function answerOfError(error: unknown): ApiAnswer {
  const { statusCode, headers } = (error ?? {}) as { statusCode?: unknown; headers?: Readonly<Record<string, string>> }
  if (typeof statusCode !== 'number') throw error
  return { status: statusCode, header: (name) => headers?.[name], text: '' }
}

function withAccount(text: string, account: string): string {
  return `{"account":${JSON.stringify(account)},${text.slice(text.indexOf('{') + 1)}`
}

function readCursor(cursor: string | undefined): { readonly at: number; readonly seconds: number } | undefined {
  return cursor === undefined ? undefined : (JSON.parse(cursor) as { readonly at: number; readonly seconds: number })
}

function advice(status: number): string {
  if (status === 401) return 'Its key is not the right one, or was rolled.'
  if (status === 403) return 'The key may not read events: give it that right, or another key.'
  return 'Look at the options of the history.'
}
