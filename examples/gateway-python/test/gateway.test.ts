import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { concurrently, deliveries } from 'oncehook/testing'

const secret = process.env.STRIPE_WEBHOOK_SECRET ?? ''
const children: ChildProcess[] = []
const [gatewayPort, appPort] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${gatewayPort}/in/stripe`
const environment = {
  ...process.env,
  APP_URL: `http://127.0.0.1:${appPort}`,
  APP_DATABASE: join(mkdtempSync(join(tmpdir(), 'payments-')), 'payments.db'),
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function start(command: string, ...words: string[]): ChildProcess {
  const child = spawn(command, words, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  children.push(child)
  return child
}

const startApp = () => start('python3', 'app.py')

async function untilReady(address: string): Promise<void> {
  while (
    !(await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await pause(50)
}

async function paymentsOf(eventId: string): Promise<number> {
  const response = await fetch(`${environment.APP_URL}/payments?event=${eventId}`)
  return ((await response.json()) as { count: number }).count
}

async function untilPaid(eventId: string): Promise<void> {
  while ((await paymentsOf(eventId)) === 0) await pause(50)
}

before(async () => {
  startApp()
  start(process.execPath, 'node_modules/oncehook/dist/cli/main.js', 'start', '--port', String(gatewayPort))
  await untilReady(`http://127.0.0.1:${gatewayPort}/readyz`)
  await untilReady(`${environment.APP_URL}/payments`)
})

after(async () => {
  for (const child of children) child.kill('SIGKILL')
})

test('the app books a payment once, though twenty copies come at the same moment', async () => {
  const paid = deliveries.stripe('invoice.paid', {}, { secret })

  const answers = await concurrently(20, () => fetch(paid.again().request(url)))
  await untilPaid(paid.id)

  assert.equal(answers.filter(({ status }) => status === 202).length, 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 19)
  assert.equal(await paymentsOf(paid.id), 1)
})

test('a payment that comes while the app is down is booked when it is back', { timeout: 120_000 }, async () => {
  const [app] = children
  app?.kill('SIGKILL')
  const paid = deliveries.stripe('invoice.paid', {}, { secret })

  const answer = await fetch(paid.request(url))
  assert.equal(answer.status, 202)

  startApp()
  await untilReady(`${environment.APP_URL}/payments`)
  await untilPaid(paid.id)
  assert.equal(await paymentsOf(paid.id), 1)
})

test('a forgery never reaches the app', async () => {
  const forged = deliveries.stripe('invoice.paid', {}, { secret }).tampered()

  const answer = await fetch(forged.request(url))

  assert.equal(answer.status, 401)
  assert.equal(await paymentsOf(forged.id), 0)
})
