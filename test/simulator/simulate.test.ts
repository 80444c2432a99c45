import { describe, expect, test } from 'vitest'
import type { Clock, Delivery, Provider } from '../../src/index.ts'
import { polar } from '../../src/providers/polar.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { slack } from '../../src/providers/slack.ts'
import { square } from '../../src/providers/square.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { svix } from '../../src/providers/svix.ts'
import { telegram } from '../../src/providers/telegram.ts'
import { xero } from '../../src/providers/xero.ts'
import { type SimulateOptions, type SimulationReport, simulate } from '../../src/simulator/simulate.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const startAt = new Date('2026-03-01T12:00:00Z')
const source = stripe({ secret })

/** A short simulation with a handler that says this to each attempt. */
function run(
  provider: Provider,
  answer: (
    delivery: Delivery,
    attempt: number,
  ) => { readonly status: number; readonly headers?: object; readonly body?: string },
  options: Partial<SimulateOptions> = {},
): Promise<SimulationReport> {
  return simulate({
    provider,
    events: 1,
    seed: 'a',
    greeting: false,
    startAt,
    send: async (delivery, _signal, note) => answer(delivery, note?.attempt ?? 0),
    ...options,
  })
}

const fine = () => ({ status: 200 })
const broken = () => ({ status: 500 })

describe('a stream of events', () => {
  test('hangs together: things come back under their own ids, later each time, and no event id twice', async () => {
    const seen: { id: string; object: string; created: number }[] = []
    const note = (delivery: Delivery) => {
      const { id, created, data } = JSON.parse(Buffer.from(delivery.body).toString('utf8')) as {
        id: string
        created: number
        data: { object: { id: string } }
      }
      seen.push({ id, created, object: data.object.id })
      return { status: 200 }
    }

    await run(source, note, { events: 60, atOnce: 1 })

    expect(new Set(seen.map(({ id }) => id)).size).toBe(60)
    expect(new Set(seen.map(({ object }) => object)).size).toBeLessThan(60)
    expect(seen.map(({ created }) => created)).toEqual(seen.map(({ created }) => created).toSorted((a, b) => a - b))
  })

  test('lets things begin before they change and end', async () => {
    const { events } = await run(shopify({ secret }), fine, { events: 60, atOnce: 1 })
    const orders = events.filter(({ type }) => type.startsWith('orders/'))
    const courses = [...new Set(orders.map(({ objectId }) => objectId))].map((order) =>
      orders.filter(({ objectId }) => objectId === order).map(({ type }) => type),
    )

    expect(courses.length).toBeGreaterThan(5)
    expect(courses.filter(([first]) => first !== 'orders/create')).toEqual([])
    expect(courses.some((course) => course.includes('orders/paid'))).toBe(true)
  })

  test('has only the types that were asked for', async () => {
    const { events } = await run(source, fine, { events: 20, types: ['charge.refunded'] })

    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['charge.refunded']))
  })
})

describe('an attempt', () => {
  test('of a provider that signs the time is signed with the real time, unless the simulated one is asked for', async () => {
    const times: string[] = []
    const look = (delivery: Delivery) => {
      times.push(/t=(\d+)/.exec(delivery.headers.get('stripe-signature')?.[0] ?? '')?.[1] ?? '')
      return { status: times.length % 2 === 1 ? 500 : 200 }
    }
    const real = new Date('2026-11-16T08:00:00Z')
    const clock: Clock = { now: () => real, wait: async () => {} }

    await run(source, look, { clock })
    await run(source, look, { clock, signWith: 'simulated' })

    const seconds = (date: Date): string => String(date.getTime() / 1000)
    const start = startAt.getTime()
    expect(times).toEqual([seconds(real), seconds(real), seconds(startAt), seconds(new Date(start + 60_000))])
  })

  test('keeps the id of the event, and has a new signature where the time is signed', async () => {
    const [ids, signatures]: [string[], string[]] = [[], []]
    const look = ({ headers }: Delivery) => {
      ids.push(headers.get('svix-id')?.[0] ?? '')
      signatures.push(headers.get('svix-signature')?.[0] ?? '')
      return { status: 500 }
    }

    await run(svix({ secret }), look, { signWith: 'simulated' })

    expect(ids).toHaveLength(8)
    expect(new Set(ids).size).toBe(1)
    expect(new Set(signatures).size).toBe(8)
  })

  test('is marked as the provider marks it', async () => {
    const slackMarks: (string | undefined)[] = []
    const squareMarks: (string | undefined)[] = []
    const markOf =
      (marks: (string | undefined)[], ...names: string[]) =>
      ({ headers }: Delivery) => {
        marks.push(names.map((name) => headers.get(name)?.[0]).join(' '))
        return { status: 500 }
      }

    await run(slack({ secret }), markOf(slackMarks, 'x-slack-retry-num', 'x-slack-retry-reason'))
    await run(square({ secret, publicUrl: 'https://a.example/in' }), markOf(squareMarks, 'square-retry-number'))

    expect(slackMarks).toEqual([' ', '1 http_error', '2 http_error', '3 http_error'])
    expect(squareMarks).toEqual(['', ...Array.from({ length: 11 }, (_, index) => String(index + 1))])
  })

  test('that takes longer than the deadline counts as none, and the pause begins when it is over', async () => {
    const report = await run(source, fine, {
      deadlineSeconds: 0.01,
      send: (_delivery, _signal, note) =>
        note?.attempt === 1 ? new Promise(() => {}) : Promise.resolve({ status: 200 }),
    })

    expect(report.events[0]?.attempts).toMatchObject([
      { outcome: 'timeout', madeSeconds: 0 },
      { outcome: '200', plannedSeconds: 60, madeSeconds: 60.01 },
    ])
  })
})

describe('the provider’s own rules', () => {
  test('say what counts as success', async () => {
    const withBody = await run(xero({ secret }), () => ({ status: 200, body: 'ok' }))
    const empty = await run(xero({ secret }), fine)
    const accepted = await run(telegram({ secret: 'a-telegram-secret' }), () => ({ status: 204 }))

    expect(withBody.verdict).toBe('lost_events')
    expect([empty.verdict, accepted.verdict]).toEqual(['delivered', 'delivered'])
  })

  test('say when it gives up at once', async () => {
    const headers = { 'X-Slack-No-Retry': '1' }
    const report = await run(slack({ secret }), () => ({ status: 500, headers }))

    expect(report.events[0]).toMatchObject({ outcome: 'given_up', why: 'the answer said x-slack-no-retry: 1' })
    expect(report.events[0]?.attempts).toHaveLength(1)
  })

  test('say how long a Retry-After is followed', async () => {
    const busy = { status: 429, headers: { 'retry-after': '9000' } }
    const report = await run(telegram({ secret: 'a-telegram-secret' }), (_, attempt) => (attempt === 1 ? busy : fine()))

    expect(report.events[0]?.attempts.map(({ madeSeconds }) => madeSeconds)).toEqual([0, 3600])
  })

  test('say when the endpoint is switched off, and then nothing comes any more', async () => {
    const report = await run(polar({ secret }), broken, { events: 30, everySeconds: 600 })

    expect(report.verdict).toBe('lost_events')
    expect(report.counts.notSent).toBeGreaterThan(10)
    expect(report.events.at(-1)).toMatchObject({ outcome: 'not_sent', attempts: [] })
  })
})

describe('faults', () => {
  const faults = { timeout: 0.1, 'lost-answer': 0.2, reset: 0.1, refused: 0.1, duplicate: 0.2, reorder: 0.3 }
  const shapeOf = ({ events }: SimulationReport) =>
    events.map(({ type, attempts }) => [type, attempts.map(({ faults: hit, madeSeconds }) => [hit, madeSeconds])])

  test('are the same with the same seed, and others with another', async () => {
    const options = { events: 40, faults }

    const [one, same, other] = await Promise.all([
      run(source, fine, { ...options, seed: 'one' }),
      run(source, fine, { ...options, seed: 'one', atOnce: 1 }),
      run(source, fine, { ...options, seed: 'other' }),
    ])

    expect(shapeOf(one)).toEqual(shapeOf(same))
    expect(shapeOf(one)).not.toEqual(shapeOf(other))
  })

  test('lead to duplicates, which are counted: each request beyond the first that was taken', async () => {
    let taken = 0
    const take = () => {
      taken += 1
      return { status: 200 }
    }
    const {
      counts,
      faults: hit,
      verdict,
    } = await run(source, take, {
      events: 50,
      faults: { 'lost-answer': 0.3, duplicate: 0.2 },
    })

    expect(verdict).toBe('delivered')
    expect(hit['lost-answer']).toBeGreaterThan(5)
    expect(counts.duplicates).toBe(taken - counts.events)
  })

  test('let later events overtake', async () => {
    const order: string[] = []
    const { events } = await run(source, fine, {
      events: 30,
      faults: { reorder: 0.3 },
      send: async (_delivery, _signal, note) => {
        order.push(note?.eventId ?? '')
        return { status: 200 }
      },
    })

    expect(order).not.toEqual(events.map(({ ids }) => ids[0]))
    expect(order.toSorted()).toEqual(events.flatMap(({ ids }) => ids).toSorted())
  })

  test('of an outage end with it: what came meanwhile is delivered by a retry', async () => {
    const report = await run(source, fine, { events: 30, outage: { seconds: 3 * 3600, afterSeconds: 600 } })
    const delayed = report.events.filter(({ attempts }) => attempts.length > 1)

    expect(report.verdict).toBe('delivered')
    expect(delayed.length).toBeGreaterThan(10)
    expect(
      delayed.flatMap(({ attempts }) => attempts.slice(0, -1)).every(({ faults: hit }) => hit[0] === 'outage'),
    ).toBe(true)
  })
})

describe('time', () => {
  test('at a steady speed is waited for by the clock that was given', async () => {
    const waits: number[] = []
    let now = Date.now()
    const clock: Clock = {
      now: () => new Date(now),
      wait: async (milliseconds) => {
        waits.push(milliseconds)
        now += milliseconds
      },
    }

    await run(source, (_, attempt) => ({ status: attempt === 3 ? 200 : 500 }), { speed: 60, clock })

    expect(waits).toEqual([1_000, 2_000])
  })

  test('ends early when it is over or when somebody stops it', async () => {
    const over = await run(source, broken, { forSeconds: 400 })
    const stop = new AbortController()
    const stopped = await run(source, broken, { signal: stop.signal, onProgress: () => stop.abort() })

    expect(over).toMatchObject({ verdict: 'stopped', counts: { pending: 1 }, simulatedSeconds: 180 })
    expect(stopped).toMatchObject({ verdict: 'stopped', counts: { pending: 0, events: 0 } })
  })
})

describe('a mistake', () => {
  test('is told with all others at once', async () => {
    const wrong = simulate({
      provider: source,
      events: 0,
      speed: -1,
      faults: { flood: 2 } as object,
      outage: { seconds: 0 },
    })

    await expect(wrong).rejects.toThrow(/either "url" or "send".*"events".*"speed".*flood.*from 0 to 1.*outage/s)
  })

  test('of an address where nobody listens is told before anything is sent', async () => {
    const report = await simulate({ provider: source, url: 'http://127.0.0.1:1/in?token=secret' })

    expect(report).toMatchObject({
      verdict: 'could_not_run',
      why: expect.stringContaining('Nobody listens') as unknown,
    })
    expect(JSON.stringify(report)).not.toContain('token=secret')
  })
})
