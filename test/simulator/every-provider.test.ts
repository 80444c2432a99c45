import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadProvider, providerNames } from '../../src/cli/provider-catalogue.ts'
import { createInbox, type Delivery, type Inbox, type Provider } from '../../src/index.ts'
import { greetings } from '../../src/simulator/greetings.ts'
import { retryPlanOf, type SimulatedSend, simulate } from '../../src/simulator/simulate.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { generateKeys, sharedKeyPairs } from '../../src/testing/provider-keys.ts'
import { borrowTestDatabase } from '../support/database.ts'

/** Greetings that need more than this side has. */
const unplayed = ['aws-sns', 'notion']

/** Greetings to which any 2xx is an answer. */
const politeEnough = [
  'buildkite',
  'figma',
  'github',
  'intercom',
  'line',
  'mailchimp',
  'trello',
  'viber',
  'wise',
  'woocommerce',
]

/** Types that are sent again, where others are not. */
const retriedTypes: Readonly<Record<string, readonly string[]>> = {
  discord: ['APPLICATION_AUTHORIZED'],
  mailgun: ['failed.permanent'],
}

/** The inbox gets the first two attempts and the last, and stores what it sees; the others are verified. */
const attemptsForInbox = 2

const startAt = new Date('2026-03-01T12:00:00Z')
let now = startAt
let database: Awaited<ReturnType<typeof borrowTestDatabase>>
let inbox: Inbox<PgTransaction, Record<string, Provider>>
const providers: Record<string, Provider> = {}

beforeAll(async () => {
  const pairs = sharedKeyPairs()
  for (const name of providerNames) {
    const make = await loadProvider(name)
    if (make === undefined) throw new Error(`There is no provider ${name}.`)
    providers[name] = make({ ...generateKeys(name, make, startAt, { pairs }), ...greetingOptions(name) })
  }
  database = await borrowTestDatabase()
  await database.query(`create table "${database.schema}".seen (source text, event_id text)`)
  inbox = createInbox({
    store: postgresStore(database.pool, { schema: database.schema }),
    sources: providers,
    clock: { now: () => now, wait: () => new Promise(() => {}) },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  for (const name of providerNames) {
    inbox.on(name, '*', async ({ id }, { tx }) => {
      await tx.query(`insert into "${database.schema}".seen (source, event_id) values ($1, $2)`, [name, id])
    })
  }
})

afterAll(async () => {
  await inbox.stop({ graceSeconds: 0 })
  await database.query(`drop table "${database.schema}".seen`)
  await database.drop()
})

describe('an event that is never acknowledged', () => {
  test.each(providerNames)(
    'of %s comes by the schedule, is believed each time, and takes effect once',
    async (name) => {
      const provider = providers[name] as Provider
      const last = retryPlanOf(provider.facts).pausesSeconds.length + 1
      const answer = inboxOf(name)
      const statuses: number[] = []

      const report = await simulate({
        provider,
        events: 1,
        seed: 'one event',
        startAt,
        signWith: 'simulated',
        greeting: false,
        ...(retriedTypes[name] === undefined ? {} : { types: retriedTypes[name] }),
        async send(delivery, signal, note) {
          now = note?.simulatedAt ?? now
          const isForInbox = note === undefined || note.attempt <= attemptsForInbox || note.attempt === last
          const { kind } = provider.verify(delivery, now)
          statuses.push(isForInbox ? (await answer(delivery, signal, note)).status : kind === 'authentic' ? 200 : 401)
          return unheard(provider)
        },
      })

      const [event] = report.events
      expect(event).toMatchObject({ outcome: 'given_up' })
      expect(statuses).toHaveLength(last)
      expect(statuses.filter((status) => status < 200 || status > 299)).toEqual([])
      expect(event?.attempts.map(({ madeSeconds }) => madeSeconds)).toEqual(sums(report.plan.pausesSeconds))
      expect(event?.attempts.map(({ plannedSeconds }) => plannedSeconds)).toEqual(sums(report.plan.pausesSeconds))
      // Where an event has no id that stays, each attempt is a new event.
      const ids = event?.ids.filter((id) => !id.startsWith('arrival:')) ?? []
      expect((await effectsOf(name)).filter(({ event_id }) => !event_id.startsWith('arrival:'))).toEqual(
        ids.map((id) => ({ event_id: id, count: 1 })),
      )
    },
  )
})

describe('the events of the test', () => {
  test('have ids that stay, but for a few providers', async () => {
    const rows = await database.query<{ source: string }>(
      `select distinct source from "${database.schema}".seen where event_id like 'arrival:%' order by source`,
    )

    expect(rows.map(({ source }) => source)).toEqual(['airtable', 'dropbox', 'freshdesk', 'plaid'])
  })
})

describe('the greeting', () => {
  test.each(Object.keys(greetings))('of %s is answered by an inbox', async (name) => {
    now = startAt
    const report = await simulate({
      provider: providers[name] as Provider,
      events: 1,
      startAt,
      signWith: 'simulated',
      greeting: { secret: asanaSecret, verifyToken: 'meatyhamhock' },
      clock: { now: () => startAt, wait: async () => {} },
      send: inboxOf(name),
    })

    expect(report.greeting).toMatchObject({ kind: unplayed.includes(name) ? 'skipped' : 'passed' })
    expect(report.verdict).toBe('delivered')
  })

  test.each(Object.keys(greetings).filter((name) => !unplayed.includes(name)))(
    'of %s is failed by an endpoint that says 200 to everything, if more is wanted',
    async (name) => {
      const report = await simulate({
        provider: providers[name] as Provider,
        events: 1,
        startAt,
        greeting: { secret: asanaSecret, verifyToken: 'meatyhamhock' },
        send: async () => ({ status: 200 }),
      })

      expect(report.verdict).toBe(politeEnough.includes(name) ? report.verdict : 'not_greeted')
      expect(report.greeting.kind).toBe(politeEnough.includes(name) ? 'passed' : 'failed')
    },
  )

  test('covers every provider that is known to have one', () => {
    const known = providerNames.filter((name) => providers[name]?.facts.handshakeGuide !== undefined)

    expect(known.filter((name) => !Object.hasOwn(greetings, name))).toEqual([])
  })
})

const asanaSecret = 'an-asana-secret-of-32-characters'

function greetingOptions(name: string): object {
  if (name === 'asana') return { secret: asanaSecret }
  return name === 'whatsapp' || name === 'messenger' ? { verifyToken: 'meatyhamhock' } : {}
}

/** The inbox as an endpoint: a real request, a real answer. */
function inboxOf(name: string): SimulatedSend {
  const handler = inbox.handler(name)
  return async ({ url, method, headers, body }: Delivery) => {
    const pairs = [...headers].flatMap(([key, values]) => values.map((value): [string, string] => [key, value]))
    const isBare = method === 'GET' || method === 'HEAD'
    return handler(new Request(url, { method, headers: pairs, ...(isBare ? {} : { body: Buffer.from(body) }) }))
  }
}

/** A failure after which the provider tries again. */
function unheard({ facts }: Provider): { readonly status: number } {
  if (facts.sending.isConnectionFailureRetried === false) return { status: 503 }
  throw new Error('the answer was lost')
}

async function effectsOf(source: string): Promise<readonly { event_id: string; count: number }[]> {
  return database.query(
    `select event_id, count(*)::int as count from "${database.schema}".seen where source = $1 group by event_id`,
    [source],
  )
}

function sums(pauses: readonly number[]): readonly number[] {
  return [0, ...pauses.map((_, index) => pauses.slice(0, index + 1).reduce((sum, pause) => sum + pause, 0))]
}
