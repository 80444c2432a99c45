import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { stripe } from '../../src/providers/stripe.ts'
import { handler } from '../../src/targets/handler.ts'
import '../../src/testing/vitest.ts'
import {
  deliveries,
  expectAnswer,
  expectDeadLetter,
  expectEffects,
  expectMessages,
  expectProcessedOnce,
  expectReceipt,
  expectRows,
  manualClock,
  testInbox,
} from '../../src/testing/index.ts'

/** What the handler of a test does wrong. */
let mistake: 'none' | 'twice' | 'outside' | 'always' = 'none'

const inbox = await testInbox({
  url: inject('databaseUrl'),
  sources: { stripe },
  mode: 'queued',
  clock: manualClock('2026-01-01'),
  targets: { email: handler(() => {}) },
})
await inbox.query('create table paid (invoice text)')
let failures = 0
inbox.on('stripe', 'invoice.paid', async ({ objectId }, { tx, once, outbox, attempt }) => {
  if (mistake === 'always') throw new Error('The card was declined.')
  // Beside the transaction: a roll-back does not undo it.
  const place = mistake === 'outside' ? inbox : tx
  await place.query('insert into paid values ($1)', [objectId])
  if (mistake === 'twice') await tx.query('insert into paid values ($1)', [objectId])
  await once(`receipt:${objectId}`, () => outbox.add('email', { invoice: objectId }))
  if (mistake === 'outside' && attempt === 1) {
    failures += 1
    throw new Error('The process is unwell.')
  }
})

beforeEach(() => inbox.reset())
afterAll(() => inbox.close())

async function deliverTwice(wrong: typeof mistake): Promise<ReturnType<typeof deliveries.stripe>> {
  mistake = wrong
  const paid = deliveries.stripe('invoice.paid', { id: 'in_1' }, { id: 'evt_1' })
  await inbox.deliver(paid)
  await inbox.deliver(paid.again())
  await inbox.settle()
  return paid
}

/** What a check says when it fails. */
async function complaintOf(check: () => Promise<void> | void): Promise<string> {
  try {
    await check()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('the checks of rows', () => {
  test('hold for a handler that is right', async () => {
    const paid = await deliverTwice('none')

    await expect(inbox).toHaveProcessedOnce(paid)
    await expect(inbox).toHaveReceipt('evt_1', 'processed')
    await expect(inbox).toHaveRows('paid', 1)
    await expect(inbox).toHaveRows('select invoice, 1 as more from paid', [{ invoice: 'in_1' }])
    await expect(inbox).toHaveEffects(['receipt:in_1'])
    await expect(inbox).toHaveMessages('email', [{ invoice: 'in_1' }])
    await expect(inbox).not.toHaveDeadLetter(paid)
    await expectProcessedOnce(inbox, 'evt_1')
    await expectReceipt(inbox, paid, 'processed')
    await expectRows(inbox, 'paid', 1)
    await expectEffects(inbox, 1)
    await expectMessages(inbox, 'email', 1)
  })

  test('fail for a handler that writes twice, and show the rows', async () => {
    await deliverTwice('twice')

    const complaints = [
      await complaintOf(() => expectRows(inbox, 'paid', 1)),
      await complaintOf(async () => expect(inbox).toHaveRows('paid', 1)),
    ]

    expect(complaints).toEqual([
      expect.stringContaining("to have 1 rows in paid.\n\nThere are 2:\n  { invoice: 'in_1' }\n  { invoice: 'in_1' }"),
      expect.stringContaining('There are 2'),
    ])
  })

  test('fail for a handler that writes beside its transaction and is tried again', async () => {
    failures = 0

    await deliverTwice('outside')

    expect(failures).toBe(1)
    await expect(inbox).toHaveProcessedOnce('evt_1')
    expect(await complaintOf(() => expectRows(inbox, 'paid', 1))).toContain('There are 2')
  })

  test('tell the life of an event that failed', async () => {
    const paid = await deliverTwice('always')

    const complaint = await complaintOf(() => expectProcessedOnce(inbox, paid))

    await expect(inbox).toHaveDeadLetter(paid, 'card was declined')
    await expectDeadLetter(inbox, 'evt_1')
    expect(complaint).toContain('Expected the inbox to have processed event evt_1 once.')
    expect(complaint).toContain('stripe event evt_1 (invoice.paid) is failed: 12 attempts, 2 deliveries')
    expect(complaint).toMatch(/ {2}2026-01-01T.*Z {2}received/)
    expect(complaint).toContain('delivered again: duplicate, answered with 200')
    expect(complaint).toMatch(/attempt 12 of stripe\/invoice.paid: failed, Error: The card was declined/)
    expect(await complaintOf(() => expectDeadLetter(inbox, paid, 'no such reason'))).toContain('because of')
  })

  test('say what there is instead of an event that never came', async () => {
    await deliverTwice('none')

    expect(await complaintOf(() => expectProcessedOnce(inbox, 'evt_2'))).toContain('The newest are: evt_1 (processed)')
    expect(await complaintOf(() => expectEffects(inbox, ['other']))).toContain('1 were taken: receipt:in_1')
    expect(await complaintOf(() => expectMessages(inbox, 'sms', 1))).toContain('There is none.')
    expect(await complaintOf(() => expectReceipt(inbox, 'evt_1', 'failed'))).toContain('is processed')
  })

  test('fail for a success that was counted twice', async () => {
    const paid = await deliverTwice('none')
    await inbox.replay({ eventId: 'evt_1', status: 'processed' }, { by: 'a test', why: 'to run it again' })
    await inbox.settle()

    expect(await complaintOf(() => expectProcessedOnce(inbox, paid))).toContain('replay by a test: to run it again')
  })

  test('read whatever sends statements', async () => {
    await deliverTwice('none')
    const pool = { query: async (text: string) => ({ rows: await inbox.query(text) }) }

    await expect(pool).toHaveRows('paid', [{ invoice: 'in_1' }])
    await expect(pool).not.toHaveRows('paid', [{ invoice: 'in_2' }])
  })
})

describe('the checks of answers', () => {
  test('know what became of a delivery', async () => {
    mistake = 'none'
    const paid = deliveries.stripe('invoice.paid')

    const accepted = await inbox.deliver(paid)
    const duplicate = await inbox.deliver(paid.again())
    const forged = await inbox.deliver(paid.tampered())

    expect(accepted).toBeAccepted()
    expect(duplicate).toBeDuplicate()
    expect(duplicate).not.toBeProcessed()
    expect(forged).toBeForged()
    expectAnswer(duplicate, 'duplicate')
    expect(await complaintOf(() => expectAnswer(forged, 'processed'))).toBe(
      'Expected the delivery to be processed.\n\nIt is forged, answered with 401.',
    )
  })

  test('count a batch if it became of each of its events', () => {
    const batch = { kind: 'batch', outcomes: [{ kind: 'processed' }, { kind: 'duplicate' }] }

    expect(batch).not.toBeProcessed()
    expectAnswer({ kind: 'batch', outcome: { kind: 'batch', outcomes: [{ kind: 'duplicate' }] } }, 'duplicate')
  })
})
