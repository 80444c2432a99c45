import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { concurrently, deliveries, expectProcessedOnce, expectReceipt, expectRows } from 'oncehook/testing'
import { createTables, inbox, pool } from '../src/inbox.ts'

const secret = process.env.STRIPE_WEBHOOK_SECRET ?? ''
const children: ChildProcess[] = []
let url = ''

/** Starts a process, and answers with it and what it first says. */
async function start(file: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [text] = await once(child.stdout, 'data')
  return { child, said: String(text).trim() }
}

/** Ends like a machine that loses its power. */
async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function untilProcessed(eventId: string): Promise<void> {
  while ((await inbox.receipts.find({ eventId }))[0]?.status !== 'processed') await pause(50)
}

before(async () => {
  await createTables()
  url = (await start('src/receiver.ts')).said
})

after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await inbox.close()
  await pool.end()
})

test('twenty copies at the same moment are recorded once, and booked once when a worker comes', async () => {
  const paid = deliveries.stripe('invoice.paid', { amount_paid: 4200 }, { secret })

  const answers = await concurrently(20, () => fetch(paid.again().request(url)))

  assert.equal(answers.filter(({ status }) => status === 202).length, 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 19)
  await expectReceipt(inbox, paid, 'received')

  const { child: worker } = await start('src/worker.ts')
  await untilProcessed(paid.id)
  await expectProcessedOnce(inbox, paid)
  await expectRows(pool, `select amount from payments where event_id = '${paid.id}'`, [{ amount: 4200 }])
  await kill(worker)
})

test('what was acknowledged is booked once, though workers are killed in the middle of it', {
  timeout: 120_000,
}, async () => {
  const events = Array.from({ length: 100 }, () => deliveries.stripe('invoice.paid', {}, { secret }))
  const { child: killed } = await start('src/worker.ts')

  const sent = Promise.all(events.map((event) => fetch(event.request(url))))
  await untilProcessed(events[10]?.id ?? '')
  await kill(killed)
  await sent
  await start('src/worker.ts')

  for (const { id } of events) await untilProcessed(id)
  const ids = events.map(({ id }) => `'${id}'`).join()
  await expectRows(pool, `select from payments where event_id in (${ids})`, 100)
})
