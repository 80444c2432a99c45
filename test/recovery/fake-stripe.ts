import { type FakeApi, startFakeApi } from './fake-api.ts'

export type FakeStripeEvent = {
  readonly id: string
  readonly type: string
  /** Unix seconds. */
  readonly created: number
}

export const stripeKey = 'sk_test_0123456789abcdef'

export type FakeStripe = FakeApi & {
  /** Oldest first. What is added between is in its place at once. */
  readonly add: (...events: readonly FakeStripeEvent[]) => void
}

/** `GET /v1/events` as Stripe has it: newest first, at most a hundred, filters by time and type, cursors that are ids. */
export async function startFakeStripe(initial: readonly FakeStripeEvent[]): Promise<FakeStripe> {
  const events = [...initial]
  const api = await startFakeApi(
    ({ pathname, searchParams: query }) => {
      if (pathname !== '/v1/events') return { status: 404, body: { error: { type: 'invalid_request_error' } } }
      const limit = Number(query.get('limit') ?? 10)
      if (limit < 1 || limit > 100) return { status: 400, body: { error: { type: 'invalid_request_error' } } }
      const first = indexFrom(events, Number(query.get('created[gte]') ?? 0))
      let end = indexFrom(events, Number(query.get('created[lt]') ?? Number.MAX_SAFE_INTEGER))
      const after = query.get('starting_after')
      if (after !== null) {
        const place = events.findLastIndex(({ id }, index) => index < end && id === after)
        if (place === -1) return { status: 400, body: { error: { type: 'invalid_request_error' } } }
        end = place
      }
      const types = query.getAll('types[]')
      const page: FakeStripeEvent[] = []
      let index = end - 1
      for (; index >= first && page.length < limit; index -= 1) {
        const event = events[index]
        if (event !== undefined && (types.length === 0 || types.includes(event.type))) page.push(event)
      }
      return {
        status: 200,
        body: { object: 'list', url: '/v1/events', has_more: index >= first, data: page.map(toBody) },
      }
    },
    { header: 'authorization', value: `Bearer ${stripeKey}` },
  )
  return {
    ...api,
    add(...added) {
      events.push(...added)
      events.sort((one, other) => one.created - other.created)
    },
  }
}

function indexFrom(events: readonly FakeStripeEvent[], created: number): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.created ?? 0) < created) low = middle + 1
    else high = middle
  }
  return low
}

function toBody({ id, type, created }: FakeStripeEvent): object {
  return {
    id,
    object: 'event',
    api_version: '2026-10-29.clover',
    created,
    data: { object: { id: `in_${id}`, object: 'invoice', status: 'paid', amount_paid: 4200 } },
    livemode: false,
    pending_webhooks: 0,
    type,
  }
}
