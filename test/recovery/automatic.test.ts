import { describe, expect } from 'vitest'
import type { Clock, EventHistory, HistoryQuestion } from '../../src/index.ts'
import type { TestDatabase } from '../support/database.ts'
import { stripeDelivery, type TestInbox, test } from '../support/inbox.ts'

/** A provider that has sent one event in every range, and remembers what it was asked for. */
function talkative(ids: readonly string[]): EventHistory & { readonly questions: HistoryQuestion[] } {
  const questions: HistoryQuestion[] = []
  return {
    name: 'the events of a test',
    daysKept: undefined,
    questions,
    async list(question) {
      questions.push(question)
      const events = ids.map((id) => ({
        id,
        type: 'invoice.paid',
        occurredAt: undefined,
        fetch: async () => ({ body: JSON.stringify({ id, type: 'invoice.paid' }) }),
      }))
      return { events, next: undefined }
    },
  }
}

/** Time that goes on when it is told to: an inbox remembers for how long nothing is due. */
function movableClock(): Clock & { readonly later: () => void } {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    wait: async () => {},
    later: () => {
      ahead += 600_000
    },
  }
}

/** As if the task's time had come. */
async function look(inbox: TestInbox, { query, schema }: TestDatabase, clock: { later: () => void }): Promise<void> {
  await query(`update "${schema}".upkeep set next_due_at = now() where task = 'backfill'`)
  clock.later()
  await inbox.drain()
}

describe('an inbox that back-fills by itself', () => {
  test('asks the provider after a time in which nobody was there, once, and lets its handlers run', async ({
    database,
    makeInbox,
  }) => {
    const { query, schema } = database
    const history = talkative(['evt_1', 'evt_2'])
    const clock = movableClock()
    const inbox = makeInbox({ backfill: { automatic: true }, source: { history }, mode: 'queued', clock })
    const ran: string[] = []
    inbox.on('stripe', '*', (event) => void ran.push(event.id))
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    await look(inbox, database, clock)
    const atFirst = history.questions.length
    await query(`update "${schema}".watches set looked_at = now() - interval '3 hours'`)
    await look(inbox, database, clock)
    await look(inbox, database, clock)

    expect(atFirst).toBe(0)
    expect(history.questions).toHaveLength(1)
    const [{ from, to } = { from: new Date(), to: new Date() }] = history.questions
    expect((to.getTime() - from.getTime()) / 60_000).toBeCloseTo(189, 0)
    expect(ran.toSorted()).toEqual(['evt_1', 'evt_2'])
    expect(await inbox.receipts.find({ origin: 'backfill' })).toMatchObject([{ eventId: 'evt_2', status: 'processed' }])
    expect(inbox.told).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        message: expect.stringContaining('1 of 2 events had never arrived'),
      }),
    )
  })

  test('asks after a long silence too, and goes on with what was interrupted', async ({ database, makeInbox }) => {
    const { query, schema } = database
    let isAway = true
    const silent = talkative(['evt_1'])
    const history: EventHistory = {
      ...silent,
      list: (question) => (isAway ? Promise.reject(new Error('no route')) : silent.list(question)),
    }
    const clock = movableClock()
    const inbox = makeInbox({ backfill: { automatic: true, outageSeconds: 120 }, source: { history }, clock })
    inbox.on('stripe', '*', () => {})
    await inbox.migrate()
    await inbox.drain()
    await look(inbox, database, clock)
    await query(`update "${schema}".watches set heard_at = now() - interval '1 hour'`)

    await look(inbox, database, clock)
    const failed = await query(`select finished_at from "${schema}".recoveries`)
    isAway = false
    await look(inbox, database, clock)

    expect(failed).toEqual([{ finished_at: null }])
    expect(await query(`select finished_at is null as is_open from "${schema}".recoveries`)).toEqual([
      { is_open: false },
    ])
    expect(
      inbox.told.flatMap((event) => (event.kind === 'notice' ? [event.message.replace(/ Its .*/, '')] : [])),
    ).toEqual([
      'stripe has been silent for longer than usual.',
      'The back-fill of stripe did not come to its end.',
      'The back-fill of stripe was interrupted.',
      expect.stringMatching(/^Back-fill of stripe .*: 1 of 1 events had never arrived\.$/),
    ])
  })

  test('looks at nothing unless it is switched on', async ({ database, makeInbox }) => {
    const inbox = makeInbox({ source: { history: talkative(['evt_1']) } })
    inbox.on('stripe', '*', () => {})

    await inbox.drain()

    expect(await database.query(`select task from "${database.schema}".upkeep where task = 'backfill'`)).toEqual([])
  })
})
