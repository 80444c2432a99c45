import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect } from 'vitest'
import { stripe } from '../../src/providers/stripe.ts'
import { test as base, type Running } from '../cli/command-line.ts'
import { debianProgram } from '../support/debian-package.ts'
import { until } from '../support/until.ts'

const secret = 'whsec_0123456789abcdef0123456789abcdef'
const forwardSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const source = stripe({ secret })

type Endpoint = { readonly url: string; readonly seen: () => Promise<Seen> }
type Seen = {
  readonly effects: readonly { readonly event: string; readonly deliveries: number }[]
  readonly forged: number
}
type Process = Running & { readonly url: string }

type Fixtures = {
  /** Somebody's endpoint, in another language. */
  readonly endpoint: Endpoint
  /** Writes the configuration of the test's directory. */
  readonly configure: (text: string, file?: string) => void
  /** Starts the gateway on the test's schema, and waits until it is ready. */
  readonly gateway: (...words: readonly string[]) => Promise<Process>
}

const test = base.extend<Fixtures>({
  endpoint: async ({}, use) => {
    const program = join(import.meta.dirname, 'destination.py')
    const python = (await debianProgram('python3')) ?? 'python3'
    const child = spawn(python, [program], { env: { ...process.env, FORWARD_SECRET: forwardSecret } })
    const url = `http://127.0.0.1:${await firstLine(child)}`
    await use({ url, seen: async () => (await (await fetch(url)).json()) as Seen })
    child.kill('SIGKILL')
  },
  configure: async ({ commandLine, program }, use) => {
    const modules = join(commandLine.directory, 'node_modules')
    mkdirSync(modules)
    // The package as it is installed, and a compiler as projects in TypeScript have one.
    symlinkSync(resolve(dirname(program), '../..'), join(modules, 'oncehook'), 'junction')
    symlinkSync(resolve(import.meta.dirname, '../../node_modules/tsx'), join(modules, 'tsx'), 'junction')
    await use((text, file = 'oncehook.config.ts') => writeFileSync(join(commandLine.directory, file), text))
  },
  gateway: async ({ commandLine, database }, use) => {
    const { url, schema } = database
    await use(async (...words) => {
      const place = ['--database', url, '--schema', schema, '--port', '0', '--json']
      const running = commandLine.start(['start', ...place, ...words], { FORWARD_SECRET: forwardSecret })
      const started = (await running.until(/"kind":"started".*\n/))
        .split('\n')
        .find((line) => line.includes('"started"'))
      return { ...running, url: (JSON.parse(started ?? '{}') as { readonly url: string }).url }
    })
  },
})

describe('receivers and workers apart', () => {
  test('lose nothing under load when they are stopped and killed, and an endpoint in Python sees each event once', async ({
    configure,
    gateway,
    endpoint,
    database,
  }) => {
    configure(
      configuration(`forward: {
      to: '${endpoint.url}/hooks', secret: process.env.FORWARD_SECRET, allowPrivateAddresses: true, concurrency: 3,
    }`),
    )
    const [one, other, killed, stopped] = await Promise.all([
      gateway('--receiver'),
      gateway('--receiver'),
      gateway('--worker'),
      gateway('--worker'),
    ])
    const ids = Array.from({ length: 120 }, (_, index) => `evt_${index}`)
    const progress = { acknowledged: 0 }

    const load = sendAll(ids, [one.url, other.url], progress)
    await until(
      () => progress.acknowledged,
      (count) => count >= 30,
    )
    killed.kill('SIGKILL')
    one.kill('SIGTERM')
    await until(
      () => progress.acknowledged,
      (count) => count >= 60,
    )
    stopped.kill('SIGTERM')
    await gateway('--worker')
    await load

    const { schema, query } = database
    await until(
      () => query<{ status: string }>(`select status from "${schema}".receipts`),
      (rows) => rows.length === ids.length && rows.every(({ status }) => status === 'processed'),
    )
    const { effects, forged } = await endpoint.seen()
    expect(effects.map(({ event }) => event).toSorted()).toEqual(ids.toSorted())
    expect(forged).toBe(0)
    expect(await query(`select from "${schema}".queue`)).toEqual([])
    expect([(await one.ended).code, (await stopped.ended).code]).toEqual([0, 0])
  })
})

describe('the gateway', () => {
  test('takes up a changed configuration between two deliveries, and keeps the old one where the new one is wrong', async ({
    configure,
    gateway,
    database,
  }) => {
    const table = `"${database.schema}".seen`
    await database.query(`create table ${table} (id text, version text)`)
    const version = (text: string): void =>
      configure(
        `export const seen = (event: { id: string }, { tx }: { tx: { query(text: string, values: unknown[]): Promise<unknown> } }) =>
          tx.query('insert into ${table} values ($1, $2)', [event.id, '${text}'])`,
        'handlers.ts',
      )
    version('first')
    const right = configuration(`on: { '*': seen }`, `import { seen } from './handlers.js'`)
    configure(right)
    const process = await gateway('--watch')
    const sent = { acknowledged: 0 }

    await sendAll(['evt_1'], [process.url], sent)
    const load = sendAll(
      Array.from({ length: 20 }, (_, index) => `evt_load_${index}`),
      [process.url],
      sent,
    )
    version('second')
    await process.until(/was taken up/)
    await load
    await sendAll(['evt_2'], [process.url], sent)
    configure(right.replace('sources:', 'surces:'))
    await process.until(/cannot be taken up.*surces is no setting; is sources meant\?/)
    await sendAll(['evt_3'], [process.url], sent)

    const rows = await until(
      () => database.query<{ id: string; version: string }>(`select id, version from ${table}`),
      (found) => found.length === 23,
    )
    const versions = new Map(rows.map(({ id, version: seen }) => [id, seen]))
    expect(versions.size).toBe(23)
    expect(['evt_1', 'evt_2', 'evt_3'].map((id) => versions.get(id))).toEqual(['first', 'second', 'second'])
  })

  test('says whether it is alive and ready, and takes deliveries while it says that it is going', async ({
    configure,
    gateway,
    database,
  }) => {
    configure(configuration(`on: { '*': () => {} }`, '', 'server: { drainSeconds: 2 },'))
    const [receiver, worker] = await Promise.all([gateway('--receiver'), gateway('--worker')])
    const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

    expect(await Promise.all(['healthz', 'readyz'].map((path) => statusOf(`${worker.url}/${path}`)))).toEqual([
      200, 200,
    ])
    expect((await fetch(`${worker.url}/in/stripe`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect(await statusOf(`${receiver.url}/readyz`)).toBe(200)
    receiver.kill('SIGTERM')
    await until(
      () => statusOf(`${receiver.url}/readyz`),
      (status) => status === 503,
    )
    expect(await statusOf(`${receiver.url}/healthz`)).toBe(200)
    await sendAll(['evt_late'], [receiver.url], { acknowledged: 0 })

    expect((await receiver.ended).code).toBe(0)
    expect(await database.query(`select event_id from "${database.schema}".receipts`)).toEqual([
      { event_id: 'evt_late' },
    ])
  })

  test('names every wrong setting by its path, and starts nothing', async ({ configure, commandLine, database }) => {
    configure(
      configuration(
        `forward: { to: 'http://127.0.0.1:1', concurency: 2 }, on: { paid: 7 }`,
        '',
        `server: { port: 'x' },`,
      ),
    )

    const { code, stderr } = await commandLine.run(['start', '--database', database.url])

    expect(code).toBe(1)
    expect(stderr).toContain('oncehook.config.ts cannot start:')
    expect(stderr).toContain('server.port is "x": give a whole number from 0 to 65535.')
    expect(stderr).toContain('sources.stripe.forward.to begins with http:')
    expect(stderr).toContain('sources.stripe.forward.concurency is no setting; is concurrency meant?')
    expect(stderr).toContain('sources.stripe.on["paid"] is not a handler')
  })

  test('shows where a configuration cannot be loaded', async ({ configure, commandLine }) => {
    configure(`const one: number = 1\nthrow new Error('not today')\nexport default one`)

    const { code, stderr } = await commandLine.run(['start'])

    expect(code).toBe(1)
    expect(stderr).toMatch(/oncehook\.config\.ts cannot be loaded \(.*oncehook\.config\.ts:\d.*\)\. Error: not today/)
  })

  test.for([
    { words: ['start', '--receiver'], sentence: 'needs a configuration' },
    { words: ['start', '--config', 'other.ts'], sentence: 'There is no file other.ts' },
  ])('refuses $words without a configuration', async ({ words, sentence }, { commandLine }) => {
    const { code, stderr } = await commandLine.run(words)

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) })
  })
})

function configuration(ofStripe: string, imports = '', more = ''): string {
  return `
    import { defineConfig } from 'oncehook/config'
    import { stripe } from 'oncehook/providers/stripe'
    ${imports}
    const secret: string = '${secret}'
    export default defineConfig({
      worker: { leaseSeconds: 2 }, ${more}
      sources: { stripe: { provider: stripe({ secret }), ${ofStripe} } },
    })`
}

/** Sends each event until somebody has acknowledged it, as a provider does: eight at a time, to one address after the other. */
async function sendAll(
  ids: readonly string[],
  urls: readonly string[],
  progress: { acknowledged: number },
): Promise<void> {
  const left = [...ids]
  const lane = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const event = source.sign({ id, type: 'invoice.paid' }, new Date())
      const headers = [...event.headers].map(([name, values]) => [name, values[0] ?? ''] as [string, string])
      const body = Buffer.from(event.body)
      let turn = 0
      await until(
        async () => {
          turn += 1
          const url = `${urls[turn % urls.length]}/in/stripe`
          return fetch(url, { method: 'POST', headers, body })
            .then((answer) => answer.ok)
            .catch(() => false)
        },
        (isAcknowledged) => isAcknowledged,
      )
      progress.acknowledged += 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  return line.toString('utf8').trim()
}
