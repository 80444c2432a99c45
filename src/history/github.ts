import type { DeliveryInput } from '../delivery/delivery.ts'
import { invalidOptions } from '../errors.ts'
import type { EventHistory, HistoricEvent } from '../verify/event-history.ts'
import { compositeId } from '../verify/safe-id.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  createApi,
  documentOf,
  type FetchLike,
  historyFailed,
  type RequestOptions,
  retryAfter,
  sendByFetch,
} from './api.ts'
import { itemsOf, membersOf } from './json-slices.ts'
import { type OctokitLike, sendByOctokit } from './octokit.ts'

/** Which hook is meant. The hook of an app needs the app's own JSON web token. */
export type GithubHook =
  | { readonly repository: `${string}/${string}`; readonly id: number | string }
  | { readonly organization: string; readonly id: number | string }
  | 'app'

/** Which hook of GitHub is asked, and with what. */
export type GithubHistoryOptions = RequestOptions & {
  readonly hook: GithubHook
  /** A token that may read the hook; to ask for redeliveries, also write it. Or give a `client`. A function is asked before every request. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** Your own client, `new Octokit({ auth })`. */
  readonly client?: OctokitLike
  /** The endpoint as GitHub calls it, for sources that tell tenants by the address. */
  readonly url?: string
  /** Of GitHub Enterprise Server: `https://host/api/v3`. */
  readonly apiUrl?: string
  readonly fetch?: FetchLike
}

/**
 * The deliveries of a GitHub hook, for 3 days: `github({ secret, history: githubHistory({ token, hook: { repository, id } }) })`.
 * To list them costs one request for a hundred; to fetch what is missing, one each.
 */
export function githubHistory(options: GithubHistoryOptions): EventHistory {
  checkOptions(options)
  const { hook, url = 'https://history.invalid/' } = options
  const place = placeOf(hook)
  const request = createApi({
    ...options,
    name: 'GitHub',
    requestsPerSecond: options.requestsPerSecond ?? 10,
    send: options.client === undefined ? sendByToken(options) : sendByOctokit(options.client),
    askedToWait,
    advice,
  })
  const ask = (path: string, signal: AbortSignal, method: ApiRequest['method'] = 'GET'): Promise<ApiAnswer> =>
    request({ method, path, signal })
  let known:
    | { readonly range: string; readonly deliveries: readonly HookDelivery[]; readonly hookId: string }
    | undefined

  return {
    name: `the deliveries of ${describeHook(hook)}`,
    daysKept: 3,
    async list({ from, to, cursor, signal }) {
      const range = `${from.getTime()} ${to.getTime()}`
      if (known?.range !== range || cursor === undefined) {
        known = undefined
        const deliveries = await listAll({ from, to, signal })
        const hookId = await hookIdOf(deliveries, signal)
        known = { range, deliveries, hookId }
      }
      const { deliveries, hookId } = known
      const start = cursor === undefined ? 0 : deliveries.findIndex((delivery) => isAfter(delivery, cursor))
      const page = start < 0 ? [] : deliveries.slice(start, start + pageSize)
      const last = page.at(-1)
      const hasMore = last !== undefined && last !== deliveries.at(-1)
      if (!hasMore) known = undefined
      return { events: page.map((delivery) => toEvent(delivery, hookId)), next: hasMore ? cursorOf(last) : undefined }
    },
  }

  /** GitHub lists the newest first and cannot be asked for a time, so all until the beginning are read: they are small. */
  async function listAll({
    from,
    to,
    signal,
  }: {
    from: Date
    to: Date
    signal: AbortSignal
  }): Promise<readonly HookDelivery[]> {
    const byGuid = new Map<string, HookDelivery>()
    for (let cursor: string | undefined; ; ) {
      const query = new URLSearchParams({ per_page: String(pageSize), ...(cursor !== undefined && { cursor }) })
      const answer = await ask(`${place}?${query.toString()}`, signal)
      documentOf('GitHub', answer)
      const page = itemsOf(answer.text).map(toDelivery)
      for (const delivery of page) {
        // Redeliveries have the GUID of the first one, which says when it happened; the newest is kept longest.
        const newer = byGuid.get(delivery.guid)
        const isWanted = delivery.at >= from.getTime() && delivery.at < to.getTime()
        if (isWanted) byGuid.set(delivery.guid, { ...delivery, id: newer?.id ?? delivery.id })
      }
      if (byGuid.size > mostDeliveries) throw tooMany(describeHook(hook))
      const oldest = page.at(-1)
      cursor = nextCursor(answer.header('link'))
      if (cursor === undefined || oldest === undefined || oldest.at < from.getTime()) break
    }
    return [...byGuid.values()].toSorted((one, other) => one.at - other.at || (one.guid < other.guid ? -1 : 1))
  }

  /** All hooks that are subscribed to an event share its GUID. That of an app has its number only in its deliveries. */
  async function hookIdOf([first]: readonly HookDelivery[], signal: AbortSignal): Promise<string> {
    if (hook !== 'app') return String(hook.id)
    if (first === undefined) return ''
    const { headers } = await detailOf(first, signal)
    return headers['x-github-hook-id'] ?? ''
  }

  function toEvent(delivery: HookDelivery, hookId: string): HistoricEvent {
    const { id, guid, event, at } = delivery
    return {
      id: compositeId([hookId, guid]) ?? guid,
      type: event,
      occurredAt: new Date(at),
      outline: { url, headers: { 'x-github-delivery': guid, 'x-github-hook-id': hookId, 'x-github-event': event } },
      fetch: (signal) => fetchDelivery(delivery, signal),
      async redeliver(signal) {
        await ask(`${place}/${id}/attempts`, signal, 'POST')
      },
    }
  }

  async function fetchDelivery(delivery: HookDelivery, signal: AbortSignal): Promise<DeliveryInput> {
    const { headers, payload } = await detailOf(delivery, signal)
    if (payload === undefined) throw historyFailed(`GitHub no longer has the payload of delivery ${delivery.id}.`)
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
    return { url, headers, body: isForm ? new URLSearchParams({ payload }).toString() : payload }
  }

  async function detailOf({ id }: HookDelivery, signal: AbortSignal): Promise<Detail> {
    const answer = await ask(`${place}/${id}`, signal)
    const { request: sent } = documentOf('GitHub', answer) as {
      readonly request?: { readonly headers?: Readonly<Record<string, unknown>> }
    }
    const headers = Object.entries(sent?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)])
    const payload = membersOf(membersOf(answer.text).get('request') ?? '').get('payload')
    return {
      headers: Object.fromEntries(headers) as Detail['headers'],
      payload: payload === 'null' ? undefined : payload,
    }
  }
}

type Detail = { readonly headers: Readonly<Record<string, string>>; readonly payload: string | undefined }

/** One delivery of a list. Its number has more digits than a JavaScript number can hold. */
type HookDelivery = { readonly id: string; readonly guid: string; readonly event: string; readonly at: number }

const pageSize = 100
/** About a hundred bytes each are held in memory. */
const mostDeliveries = 1_000_000

function toDelivery(text: string): HookDelivery {
  const { guid, event, delivered_at } = JSON.parse(text) as Readonly<Record<'guid' | 'event' | 'delivered_at', string>>
  return { id: membersOf(text).get('id') ?? '', guid, event, at: Date.parse(delivered_at) }
}

function cursorOf({ at, guid }: HookDelivery): string {
  return `${at} ${guid}`
}

function isAfter({ at, guid }: HookDelivery, cursor: string): boolean {
  const [time = '', last = ''] = cursor.split(' ')
  return at > Number(time) || (at === Number(time) && guid > last)
}

/** Only the cursor is taken from the address of the next page: the token goes to our own. */
function nextCursor(link: string | undefined): string | undefined {
  const address = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return address !== undefined && URL.canParse(address)
    ? (new URL(address).searchParams.get('cursor') ?? undefined)
    : undefined
}

function placeOf(hook: GithubHook): string {
  if (hook === 'app') return '/app/hook/deliveries'
  const owner =
    'repository' in hook
      ? `/repos/${hook.repository.split('/').map(encodeURIComponent).join('/')}`
      : `/orgs/${encodeURIComponent(hook.organization)}`
  return `${owner}/hooks/${encodeURIComponent(hook.id)}/deliveries`
}

function describeHook(hook: GithubHook): string {
  if (hook === 'app') return 'the GitHub app'
  return `hook ${hook.id} of ${'repository' in hook ? hook.repository : hook.organization} on GitHub`
}

function sendByToken({
  token,
  apiUrl = 'https://api.github.com',
  fetch,
}: GithubHistoryOptions): ReturnType<typeof sendByFetch> {
  return async (request) => {
    const current = typeof token === 'function' ? await token() : token
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${current}`,
      'user-agent': 'oncehook',
      'x-github-api-version': '2022-11-28',
    }
    return sendByFetch(apiUrl, headers, fetch)(request)
  }
}

/** GitHub says 403 or 429. Its secondary limits may come without any header: then it wants a minute. */
function askedToWait(answer: ApiAnswer, now: Date): number | undefined {
  const isLimited = answer.status === 403 || answer.status === 429
  const asked = isLimited ? retryAfter(answer, now) : undefined
  if (asked !== undefined) return asked
  if (answer.header('x-ratelimit-remaining') === '0') {
    const reset = Number(answer.header('x-ratelimit-reset')) * 1000
    if (Number.isFinite(reset)) return Math.min(Math.max(reset - now.getTime(), 1000), 3_600_000)
  }
  const isSecondary = isLimited && /secondary rate limit|abuse detection/i.test(answer.text)
  return isSecondary || answer.status === 429 ? 60_000 : undefined
}

function advice(status: number): string {
  if (status === 401)
    return 'Its token is not the right one, or has expired. The hook of an app needs a JSON web token of the app.'
  if (status === 403) return 'The token may not read the deliveries of this hook: it needs the right to read webhooks.'
  if (status === 404)
    return 'There is no such hook or delivery, or the token may not see it: is the number of the hook right?'
  return 'Look at the options of the history.'
}

function checkOptions({ hook, token, client }: GithubHistoryOptions): void {
  const isHook =
    hook === 'app' ||
    (typeof hook === 'object' &&
      /^\d+$/.test(String(hook.id)) &&
      ('repository' in hook ? /^[^/]+\/[^/]+$/.test(hook.repository) : hook.organization !== ''))
  const mistakes = [
    ...(isHook
      ? []
      : ['hook must be { repository: "owner/name", id }, { organization, id } or "app"; id is its number.']),
    ...((token === undefined || token === '') && client === undefined
      ? ['token is missing: give one that may read the hook, or a client.']
      : []),
  ]
  if (mistakes.length > 0) throw invalidOptions('The history of GitHub', mistakes)
}

function tooMany(hook: string): Error {
  return historyFailed(
    `There are more than ${mostDeliveries} deliveries of ${hook} in that time. Ask for a shorter one.`,
  )
}
