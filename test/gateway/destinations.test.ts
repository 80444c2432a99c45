import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { stripe } from '../../src/providers/stripe.ts'
import { test } from '../cli/command-line.ts'
import { freePort } from '../support/child-servers.ts'
import { debianProgram } from '../support/debian-package.ts'
import { until } from '../support/until.ts'

const secret = 'whsec_0123456789abcdef0123456789abcdef'
const source = stripe({ secret })

/** An endpoint of another language that is killed and started anew, on the same port and the same file. */
type Mortal = {
  readonly url: string
  readonly restart: () => Promise<void>
  readonly events: () => Promise<readonly string[]>
}

async function startMortal(command: string, program: string, file: string): Promise<Mortal> {
  const port = await freePort()
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}`).then(
      ({ ok }) => ok,
      () => false,
    )
  const launch = async (): Promise<ChildProcess> => {
    const env = { ...process.env, EFFECTS_FILE: file, PORT: String(port) }
    const child = spawn(command, [join(import.meta.dirname, program)], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    await until(isReady, (ready) => ready)
    return child
  }
  const kill = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  let running = await launch()
  onTestFinished(() => void running.kill('SIGKILL'))
  return {
    url: `http://127.0.0.1:${port}`,
    async restart() {
      await kill(running)
      running = await launch()
    },
    events: async () => (await (await fetch(`http://127.0.0.1:${port}`)).json()) as readonly string[],
  }
}

describe('a Python and a shell endpoint behind a gateway', () => {
  test('apply each event once under concurrent copies, while they and the gateway are killed', async ({
    commandLine,
    program,
    database,
  }) => {
    const { directory } = commandLine
    mkdirSync(join(directory, 'node_modules'))
    writeFileSync(join(directory, 'package.json'), '{}')
    symlinkSync(resolve(dirname(program), '../..'), join(directory, 'node_modules/oncehook'), 'junction')
    const python = await startMortal(
      (await debianProgram('python3')) ?? 'python3',
      'destination-sqlite.py',
      join(directory, 'effects.db'),
    )
    await debianProgram('socat')
    const shell = await startMortal('sh', 'destination.sh', join(directory, 'effects'))
    const destination = (url: string): string =>
      `{ to: '${url}/', allowPrivateAddresses: true, circuit: { failures: 3, pauseSeconds: 0.1, maximumPauseSeconds: 0.3 } }`
    writeFileSync(
      join(directory, 'oncehook.config.mjs'),
      `import { stripe } from 'oncehook/providers/stripe'
       export default {
         worker: { leaseSeconds: 2 },
         retry: { firstSeconds: 0.05, factor: 1, maxAttempts: 1000 },
         sources: { stripe: { provider: stripe({ secret: '${secret}' }), forward: ${destination(python.url)},
           on: { '*': { name: 'shell', forward: ${destination(shell.url)} } } } },
       }`,
    )
    let port = '0'
    const start = async (): Promise<ReturnType<typeof commandLine.start>> => {
      const words = ['start', '--database', database.url, '--schema', database.schema, '--port', port, '--json']
      const running = commandLine.start(words)
      const [, found = port] =
        /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(await running.until(/"kind":"started".*\n/)) ?? []
      port = found
      return running
    }
    let gateway = await start()
    const ids = Array.from({ length: 45 }, (_, index) => `evt_${index}`)
    let acknowledged = 0

    const load = inLanes(ids, 4, async (id) => {
      const { headers, body } = source.sign({ id, type: 'invoice.paid' }, new Date())
      const copies = Array.from({ length: 3 }, () =>
        sendUntilTaken(() => `http://127.0.0.1:${port}/in/stripe`, { headers, body }),
      )
      await Promise.all(copies)
      acknowledged += 1
    })
    const whenAcknowledged = (count: number): Promise<unknown> =>
      until(
        () => acknowledged,
        (now) => now >= count,
      )
    await whenAcknowledged(10)
    await python.restart()
    await whenAcknowledged(20)
    gateway.kill('SIGKILL')
    await gateway.ended
    gateway = await start()
    await shell.restart()
    await whenAcknowledged(32)
    await Promise.all([python.restart(), shell.restart()])
    gateway.kill('SIGKILL')
    await gateway.ended
    gateway = await start()
    await load

    await until(
      () => database.query<{ status: string }>(`select status from "${database.schema}".receipts`),
      (rows) => rows.length === ids.length && rows.every(({ status }) => status === 'processed'),
    )
    expect((await python.events()).toSorted()).toEqual(ids.toSorted())
    expect((await shell.events()).toSorted()).toEqual(ids.toSorted())
    gateway.kill('SIGTERM')
    await gateway.ended
  })
})

async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** As a provider does: again, until somebody has said 2xx. */
async function sendUntilTaken(
  urlNow: () => string,
  { headers, body }: Pick<ReturnType<typeof source.sign>, 'headers' | 'body'>,
): Promise<void> {
  for (;;) {
    const pairs = [...headers].map(([name, values]): [string, string] => [name, values[0] ?? ''])
    const response = await fetch(urlNow(), { method: 'POST', headers: pairs, body }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok === true) return
    await pause(20)
  }
}
