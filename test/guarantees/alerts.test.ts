import { describe, expect } from 'vitest'
import { permanent } from '../../src/index.ts'
import { handler } from '../../src/targets/handler.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { episodes, history, test, type WatchedInbox } from '../support/watched-inbox.ts'

/** Every alert is made to happen, told once and resolved once. */
describe('an alert is opened once and resolved once', () => {
  test('when a source sends more copies than usual', async ({ watched, pass, database }) => {
    const inbox = await watched({ mode: 'queued' })
    await history(database, { days: 15, events: 5, copies: 1 })
    inbox.on('stripe', '*', () => {})
    for (let number = 0; number < 10; number += 1) {
      const delivery = stripeDelivery(`evt_${number}`)
      for (let copy = 0; copy < 6; copy += 1) await inbox.receive('stripe', delivery)
    }

    await opensAndResolves(inbox, pass, {
      rule: 'duplicates',
      source: 'stripe',
      text: /^\d+ of \d+ deliveries in the last 15 min were copies of known events \(\d+ %\); usual are 17 %\. Since /,
    })
    expect(inbox.arrived[0]?.data.figures).toMatchObject({ copies: expect.any(Number), limit: 0.5 })
  })

  test('when first attempts fail', async ({ watched, pass }) => {
    const inbox = await watched({ mode: 'inline' })
    inbox.on('stripe', '*', (event) => {
      if (event.id.startsWith('evt_bad')) throw new Error('boom')
    })
    for (let number = 0; number < 12; number += 1) {
      await inbox.receive('stripe', stripeDelivery(`evt_bad_${number}`))
      await inbox.receive('stripe', stripeDelivery(`evt_good_${number}`))
    }

    await opensAndResolves(inbox, pass, {
      rule: 'firstAttemptErrors',
      source: 'stripe',
      text: /^The first attempt failed for 12 of 24 events in the last 15 min \(50 %\); the limit is 10 %\./,
    })
  })

  test('when events wait for a worker', async ({ watched, pass, database }) => {
    const inbox = await watched({ mode: 'queued' })
    inbox.on('stripe', '*', () => {})
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await pass(12)

    await inbox.evaluate()
    await inbox.evaluate()
    expect(await episodes(database)).toEqual([{ rule: 'lag', source: '*', is_open: true }])
    await inbox.drain()
    expect(inbox.arrived.map(({ data }) => data.text)).toEqual([
      expect.stringMatching(
        /^The oldest, of stripe, has been due for 12 min; the limit is 5 min\. 1 event is due\. Since /,
      ),
    ])
    await pass(30)
    await inbox.look()
    await inbox.look()

    expect(inbox.arrived.map(({ type }) => type)).toEqual(['alert.opened', 'alert.resolved'])
  })

  test('when there are new dead letters', async ({ watched, pass }) => {
    const inbox = await watched({ mode: 'queued' })
    inbox.on('stripe', '*', () => {
      throw permanent(new Error('boom'))
    })
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.receive('stripe', stripeDelivery('evt_2'))
    await inbox.drain()

    await opensAndResolves(inbox, pass, {
      rule: 'deadLetters',
      source: 'stripe',
      text: /^2 events of stripe failed for good in the last 15 min\. Since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
    })
    expect(inbox.arrived[0]?.data.advice).toContain('oncehook dead --source stripe')
  })

  test('when messages cannot be sent, but not when it is an alert that cannot', async ({ watched, pass, database }) => {
    const broken = handler(() => {
      throw permanent(new Error('boom'))
    })
    const inbox = await watched({ targets: { crm: broken }, alerts: { to: ['ops', 'crm'] } })
    inbox.on('stripe', '*', async (event, { outbox }) => void (await outbox.add('crm', { id: event.id })))
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.drain()

    await opensAndResolves(inbox, pass, {
      rule: 'deadMessages',
      source: 'stripe',
      text: /^1 message of the outbox failed for good in the last 15 min\./,
    })
    expect(await episodes(database)).toEqual([{ rule: 'deadMessages', source: 'stripe', is_open: false }])
  })

  test('when deliveries have no valid signature', async ({ watched, pass, database }) => {
    const inbox = await watched()
    await history(database, { days: 15, events: 5 })
    for (let number = 0; number < 25; number += 1) {
      await inbox.receive(
        'stripe',
        stripeDelivery(`evt_${number}`, 'invoice.paid', undefined, 'whsec_another_secret_0123'),
      )
    }

    await opensAndResolves(inbox, pass, {
      rule: 'signatureFailures',
      source: 'stripe',
      text: /^25 deliveries in the last 15 min had no valid signature; usual are 0\./,
    })
  })

  test('when a source that usually talks is silent', async ({ watched, pass, database }) => {
    const inbox = await watched()
    await history(database, { days: 15, events: 5, untilMinutes: 45 })
    await database.query(`update "${database.schema}".alert_watch set watching_since = now() - interval '20 days'`)

    await inbox.look()
    await inbox.look()
    expect(inbox.arrived.map(({ type, data }) => [type, data.rule])).toEqual([['alert.opened', 'silence']])
    expect(inbox.arrived[0]?.data.text).toMatch(
      /^Nothing has been heard of stripe for \d\d min; in the same time of the weeks before at least \d+ deliveries came\./,
    )
    await pass(15)
    inbox.on('stripe', '*', () => {})
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    await inbox.look()
    await inbox.look()

    expect(inbox.arrived.map(({ type }) => type)).toEqual(['alert.opened', 'alert.resolved'])
  })

  test('when upkeep is not done', async ({ watched, pass, database }) => {
    const { query, schema } = database
    const inbox = await watched({ alerts: { rules: { upkeep: { hours: 3 } } } })
    await query(`update "${schema}".alert_watch set watching_since = now() - interval '20 days'`)
    await query(
      `insert into "${schema}".upkeep (environment, task, next_due_at, late_since)
       values ('default', 'prune', now() + interval '1 minute', now() - interval '5 hours')`,
    )

    await inbox.look()
    await inbox.look()
    expect(inbox.arrived.map(({ data }) => data.text)).toEqual([
      expect.stringMatching(/^Not done for 5 h after it was due: prune\. The limit is 3 h\./),
    ])
    await query(`update "${schema}".upkeep set late_since = null, next_due_at = now() + interval '1 day'`)
    await pass(30)
    await inbox.look()
    await inbox.look()

    expect(inbox.arrived.map(({ type }) => type)).toEqual(['alert.opened', 'alert.resolved'])
  })
})

type Expected = { readonly rule: string; readonly source: string; readonly text: RegExp }

/** Looks twice at the same cause, then twice when it is long over. */
async function opensAndResolves(
  inbox: WatchedInbox,
  pass: (minutes: number) => Promise<void>,
  { rule, source, text }: Expected,
): Promise<void> {
  await inbox.look()
  await inbox.look()
  expect(inbox.arrived.map(({ type, data }) => ({ type, rule: data.rule, source: data.source }))).toEqual([
    { type: 'alert.opened', rule, source },
  ])
  expect(inbox.arrived[0]?.data.text).toMatch(text)
  await pass(40)
  await inbox.look()
  await inbox.look()
  expect(inbox.arrived.map(({ type }) => type)).toEqual(['alert.opened', 'alert.resolved'])
  const [alert, ...others] = await inbox.alerts.find()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ rule, source, toldAt: expect.any(Date), resolvedAt: expect.any(Date) })
}
