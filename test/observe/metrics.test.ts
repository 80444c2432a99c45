import { describe, expect } from 'vitest'
import { permanent } from '../../src/index.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { github } from '../../src/providers/github.ts'
import { slack } from '../../src/providers/slack.ts'
import { handler } from '../../src/targets/handler.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { until } from '../support/until.ts'
import { providerWithDeadline, secret, test } from './open-inbox.ts'
import { counted, risen, samplesOf } from './samples.ts'

const forged = stripeDelivery('evt_forged', 'invoice.paid', undefined, 'whsec_another0123456789abcdef')

describe('metrics of deliveries', () => {
  test('count what came in, by what became of it', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'inline', source: { types: ['invoice.*', 'charge.*'] } })
    inbox.on('stripe', 'invoice.paid', () => {})
    const metrics = createMetrics(inbox)
    const before = await metrics.text()
    const delivery = stripeDelivery('evt_1')

    await inbox.receive('stripe', delivery)
    await inbox.receive('stripe', delivery)
    await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', { changed: true }))
    await inbox.receive('stripe', stripeDelivery('evt_2', 'charge.failed'))
    await inbox.receive('stripe', stripeDelivery('evt_3', 'customer.created'))
    await inbox.receive('stripe', forged)
    await inbox.receive('stripe', { method: 'PUT' })
    await inbox.receive('nobody' as 'stripe', {})

    const label = (type: string, rest: string): string => `{source="stripe",type="${type}",${rest}}`
    expect(counted(risen(before, await metrics.text()))).toEqual({
      [`oncehook_deliveries_total${label('invoice.paid', 'outcome="processed"')}`]: 1,
      [`oncehook_deliveries_total${label('invoice.paid', 'outcome="duplicate"')}`]: 2,
      [`oncehook_deliveries_total${label('charge.failed', 'outcome="ignored"')}`]: 1,
      [`oncehook_deliveries_total${label('customer.created', 'outcome="ignored"')}`]: 1,
      [`oncehook_deliveries_total${label('', 'outcome="forged"')}`]: 1,
      [`oncehook_deliveries_total${label('', 'outcome="refused"')}`]: 1,
      'oncehook_deliveries_total{source="unknown",type="",outcome="refused"}': 1,
      [`oncehook_duplicates_total${label('invoice.paid', 'body="same"')}`]: 1,
      [`oncehook_duplicates_total${label('invoice.paid', 'body="other"')}`]: 1,
      [`oncehook_ignored_total${label('charge.failed', 'reason="no_handler"')}`]: 1,
      [`oncehook_ignored_total${label('customer.created', 'reason="not_allowed"')}`]: 1,
      'oncehook_signature_failures_total{source="stripe",reason="signature_mismatch"}': 1,
      'oncehook_refused_total{source="stripe",reason="method_not_allowed"}': 1,
      'oncehook_refused_total{source="unknown",reason="unknown_source"}': 1,
      'oncehook_processed_total{source="stripe",type="invoice.paid"}': 1,
      [`oncehook_handler_runs_total${label('invoice.paid', 'handler="stripe/invoice.paid",outcome="succeeded"')}`]: 1,
      'oncehook_first_attempts_total{source="stripe"}': 1,
      'oncehook_secret_deliveries_total{source="stripe",secret="1"}': 5,
      'oncehook_accept_duration_seconds_count{source="stripe"}': 5,
      'oncehook_handler_duration_seconds_count{source="stripe",handler="stripe/invoice.paid"}': 1,
      'oncehook_processing_lag_seconds_count{source="stripe"}': 1,
    })
  })

  test('count what was put in the queue, greeted, malformed, rolled back and not taken', async ({
    openInbox,
    database: { query, schema },
  }) => {
    const source = providerWithDeadline(600)
    const inbox = openInbox({ sources: { one: source, slack: slack({ secret }) } })
    inbox.on('one', 'queued', () => {}, { mode: 'queued' })
    inbox.on('one', 'broken', () => Promise.reject(new Error('not today')), { mode: 'inline' })
    const metrics = createMetrics(inbox)
    const send = (type: string, id: unknown = type): Promise<unknown> =>
      inbox.receive('one', source.sign({ type, payload: { id, type } }, new Date()))

    await send('queued')
    await send('broken')
    await send('queued', { not: 'an id' })
    const greeting = { type: 'url_verification', challenge: 'abc' }
    await inbox.receive('slack', slack({ secret }).sign({ type: 'url_verification', payload: greeting }, new Date()))
    await query(`alter table "${schema}".receipts rename to hidden`)
    await send('queued', 'another')

    expect(samplesOf(await metrics.text())).toMatchObject({
      'oncehook_deliveries_total{source="one",type="queued",outcome="accepted"}': 1,
      'oncehook_deliveries_total{source="one",type="broken",outcome="failed"}': 1,
      'oncehook_deliveries_total{source="one",type="",outcome="malformed"}': 1,
      'oncehook_refused_total{source="one",reason="malformed"}': 1,
      'oncehook_deliveries_total{source="slack",type="",outcome="handshake"}': 1,
      'oncehook_deliveries_total{source="one",type="queued",outcome="unavailable"}': 1,
      'oncehook_notices_total{level="error"}': 1,
    })
  })

  test('count signed bodies that come again under a new id', async ({ openInbox }) => {
    const source = github({ secret })
    const inbox = openInbox({ sources: { github: source } })
    const metrics = createMetrics(inbox)

    for (const id of ['one', 'two']) {
      await inbox.receive('github', source.sign({ id, type: 'push', payload: { ref: 'main' } }, new Date()))
    }

    expect(samplesOf(await metrics.text())).toMatchObject({
      'oncehook_replayed_bodies_total{source="github",outcome="ignored"}': 1,
      'oncehook_deliveries_total{source="github",type="push",outcome="ignored"}': 2,
    })
  })

  test('tell only so many types apart', async ({ makeInbox }) => {
    const inbox = makeInbox()
    const metrics = createMetrics(inbox, { maximumTypes: 2 })

    for (const type of ['a', 'b', 'c', 'd', 'a']) {
      await inbox.receive('stripe', stripeDelivery(`evt_${Math.random()}`, type))
    }

    const ignored = Object.entries(samplesOf(await metrics.text())).filter(([name]) => name.includes('_ignored_'))
    expect(Object.fromEntries(ignored)).toEqual({
      'oncehook_ignored_total{source="stripe",type="a",reason="no_handler"}': 2,
      'oncehook_ignored_total{source="stripe",type="b",reason="no_handler"}': 1,
      'oncehook_ignored_total{source="stripe",type="other",reason="no_handler"}': 2,
    })
  })

  test('count answers after a share of the deadline', async ({ openInbox }) => {
    const sources = { patient: providerWithDeadline(600), hasty: providerWithDeadline(0.000_001) }
    const inbox = openInbox({ sources })
    const metrics = createMetrics(inbox)

    await inbox.receive('patient', sources.patient.sign({ id: 'one', type: 'ping' }, new Date()))
    await inbox.receive('hasty', sources.hasty.sign({ id: 'two', type: 'ping' }, new Date()))

    const deadlines = Object.entries(samplesOf(await metrics.text())).filter(([name]) => name.includes('_deadline_'))
    expect(Object.fromEntries(deadlines)).toEqual({
      'oncehook_deadline_deliveries_total{source="patient"}': 1,
      'oncehook_deadline_deliveries_total{source="hasty"}': 1,
      'oncehook_deadline_passed_total{source="hasty",share="50"}': 1,
      'oncehook_deadline_passed_total{source="hasty",share="80"}': 1,
      'oncehook_deadline_passed_total{source="hasty",share="100"}': 1,
    })
  })
})

describe('metrics of handlers', () => {
  test('count runs, first failures, ends and dead letters', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { firstSeconds: 0, maxAttempts: 2 } })
    inbox
      .on('stripe', 'invoice.paid', (_, { attempt }) => {
        if (attempt === 1) throw new Error('not today')
      })
      .on('stripe', 'charge.failed', () => {
        throw permanent(new Error('never'))
      })
      .on('stripe', 'two.handlers', () => {}, { name: 'one' })
      .on('stripe', 'two.handlers', () => {}, { name: 'two' })
    let isDeferred = false
    inbox.on('stripe', 'later', (_, { defer }) => {
      if (!isDeferred) {
        isDeferred = true
        defer({ seconds: 0, reason: 'not yet' })
      }
    })
    const metrics = createMetrics(inbox)
    for (const type of ['invoice.paid', 'charge.failed', 'two.handlers', 'later']) {
      await inbox.receive('stripe', stripeDelivery(`evt_${type}`, type))
    }

    expect(await inbox.drain()).toMatchObject({ processed: 3, dead: 1, retrying: 1, deferred: 1 })

    const run = (type: string, name: string, outcome: string): string =>
      `oncehook_handler_runs_total{source="stripe",type="${type}",handler="${name}",outcome="${outcome}"}`
    const samples = samplesOf(await metrics.text())
    expect(samples).toMatchObject({
      [run('invoice.paid', 'stripe/invoice.paid', 'retrying')]: 1,
      [run('invoice.paid', 'stripe/invoice.paid', 'succeeded')]: 1,
      [run('charge.failed', 'stripe/charge.failed', 'dead')]: 1,
      [run('later', 'stripe/later', 'deferred')]: 1,
      [run('later', 'stripe/later', 'succeeded')]: 1,
      [run('two.handlers', 'one', 'succeeded')]: 1,
      [run('two.handlers', 'two', 'succeeded')]: 1,
      'oncehook_processed_total{source="stripe",type="two.handlers"}': 1,
      'oncehook_processed_total{source="stripe",type="invoice.paid"}': 1,
      'oncehook_dead_lettered_total{source="stripe",type="charge.failed"}': 1,
      'oncehook_first_attempts_total{source="stripe"}': 5,
      'oncehook_first_attempt_errors_total{source="stripe"}': 2,
      'oncehook_dead_letters{source="stripe"}': 1,
      'oncehook_processing_lag_seconds_count{source="stripe"}': 4,
      'oncehook_handler_duration_seconds_count{source="stripe",handler="stripe/invoice.paid"}': 2,
    })
    expect(Object.keys(samples).filter((name) => name.startsWith('oncehook_dead_lettered_total'))).toHaveLength(1)
  })

  test('count an inline event that becomes a dead letter at once', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'inline' })
    inbox.on('stripe', 'invoice.paid', () => {
      throw permanent(new Error('never'))
    })
    const metrics = createMetrics(inbox)

    await inbox.receive('stripe', stripeDelivery('evt_1'))

    expect(samplesOf(await metrics.text())).toMatchObject({
      'oncehook_dead_lettered_total{source="stripe",type="invoice.paid"}': 1,
      'oncehook_first_attempt_errors_total{source="stripe"}': 1,
      'oncehook_dead_letters{source="stripe"}': 1,
    })
  })

  test('count what was passed over: used keys, older versions and told changes', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'queued' })
    inbox.on('stripe', 'invoice.paid', async (event, { once, latest }) => {
      await once('the one mail', () => {})
      await latest('the one state', event.id === 'evt_1' ? 2 : 1, () => {})
    })
    inbox.on('stripe', 'charge.failed', () => {}, { sameChange: () => 'the one change' })
    const metrics = createMetrics(inbox)
    for (const id of ['evt_1', 'evt_2']) {
      await inbox.receive('stripe', stripeDelivery(id))
      await inbox.receive('stripe', stripeDelivery(`${id}_charge`, 'charge.failed'))
      await inbox.drain()
    }

    expect(samplesOf(await metrics.text())).toMatchObject({
      'oncehook_effect_conflicts_total{source="stripe",type="invoice.paid"}': 1,
      'oncehook_stale_total{source="stripe",type="invoice.paid"}': 1,
      'oncehook_same_change_total{source="stripe",type="charge.failed"}': 1,
      'oncehook_processed_total{source="stripe",type="charge.failed"}': 2,
    })
  })

  test('count lost leases where they are lost, and where they are taken over', async ({ makeInbox, database }) => {
    const frozen = makeInbox({ mode: 'queued', worker: { name: 'frozen', concurrency: 1 } })
    const other = makeInbox({ mode: 'queued', worker: { name: 'other' } })
    let wakeUp: () => void = () => {}
    const asleep = new Promise<void>((resolve) => {
      wakeUp = resolve
    })
    let runs = 0
    frozen.on('stripe', 'invoice.paid', async () => {
      runs += 1
      await asleep
    })
    other.on('stripe', 'invoice.paid', () => {})
    const metricsOfFrozen = createMetrics(frozen)
    const metricsOfOther = createMetrics(other)
    await frozen.receive('stripe', stripeDelivery('evt_1'))
    const drained = frozen.drain()
    await until(
      () => runs,
      (count) => count === 1,
    )

    await database.query(`update "${database.schema}".queue set due_at = clock_timestamp() - interval '1 second'`)
    await other.drain()
    wakeUp()
    await drained

    expect(samplesOf(await metricsOfFrozen.text())).toMatchObject({
      'oncehook_lease_losses_total{source="stripe"}': 1,
      'oncehook_abandoned_runs_total{source="stripe"}': 0,
    })
    expect(samplesOf(await metricsOfOther.text())).toMatchObject({
      'oncehook_lease_losses_total{source="stripe"}': 0,
      'oncehook_abandoned_runs_total{source="stripe"}': 1,
      'oncehook_processed_total{source="stripe",type="invoice.paid"}': 1,
    })
  })
})

describe('metrics of upkeep', () => {
  test('count runs, what they removed, and those that fail', async ({ makeInbox, database: { query, schema } }) => {
    const inbox = makeInbox()
    const metrics = createMetrics(inbox)
    await inbox.migrate()
    await query(`
      insert into "${schema}".receipts (environment, source, event_id, type, status, body_hash, body_id, received_at)
      select 'default', 'stripe', number::text, 'x', 'processed', '', gen_random_uuid(), now() - interval '90 days'
      from generate_series(1, 20) as number`)

    await inbox.prune()
    await query(`alter table "${schema}".retention rename to hidden`)
    await inbox.prune().catch(() => {})

    expect(samplesOf(await metrics.text())).toMatchObject({
      'oncehook_upkeep_runs_total{task="ledger",outcome="done"}': 1,
      'oncehook_upkeep_runs_total{task="bodies",outcome="failed"}': 1,
      'oncehook_upkeep_done_total{task="ledger",what="receipts"}': 20,
    })
  })
})

describe('metrics of the outbox', () => {
  test('count attempts, and show what waits, what is tried again and what is dead', async ({ makeInbox }) => {
    const answers = ['works', 'later', 'never', 'works']
    const target = handler<string>((message) => {
      if (message === 'later') throw new Error('later')
      if (message === 'never') throw permanent(new Error('never'))
    })
    const inbox = makeInbox({ mode: 'inline', targets: { mail: target }, retry: { firstSeconds: 60 } })
    inbox.on('stripe', 'invoice.paid', async (_, { outbox }) => {
      for (const answer of answers) await outbox.add('mail', answer)
      await outbox.add('mail', 'works', { delaySeconds: 3600 })
    })
    const metrics = createMetrics(inbox)
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    const before = samplesOf(await metrics.text())

    await inbox.drain()

    const after = samplesOf(await metrics.text())
    expect(before).toMatchObject({
      'oncehook_outbox_messages{target="mail",state="waiting"}': 5,
      'oncehook_messages_total{target="mail",outcome="published"}': 0,
    })
    expect(before['oncehook_outbox_oldest_due_seconds{target="mail"}']).toBeGreaterThan(0)
    expect(after).toMatchObject({
      'oncehook_messages_total{target="mail",outcome="published"}': 2,
      'oncehook_messages_total{target="mail",outcome="retrying"}': 1,
      'oncehook_messages_total{target="mail",outcome="dead"}': 1,
      'oncehook_outbox_messages{target="mail",state="waiting"}': 1,
      'oncehook_outbox_messages{target="mail",state="retrying"}': 1,
      'oncehook_outbox_messages{target="mail",state="running"}': 0,
      'oncehook_outbox_messages{target="mail",state="failed"}': 1,
      'oncehook_outbox_oldest_due_seconds{target="mail"}': 0,
    })
  })
})
