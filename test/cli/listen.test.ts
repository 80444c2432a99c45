import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Receipt, TimelineEntry } from '../../src/index.ts'
import { nodeFlags } from '../support/compiled.ts'
import { until } from '../support/until.ts'
import { type HttpReceiver, type Respond, startHttpReceiver } from '../targets/http-receiver.ts'
import { test as base, type CommandLine, type Running } from './command-line.ts'
import { openPseudoTerminal, type PseudoTerminal } from './pseudo-terminal.ts'
import { isBelieved, post, secret } from './stripe-sender.ts'

const environment = { STRIPE_WEBHOOK_SECRET: secret }

type Fixtures = {
  /** Somebody's app on this machine. */
  readonly app: (respond?: Respond, port?: number) => Promise<HttpReceiver>
  /** The command on a terminal. */
  readonly terminal: (...words: readonly string[]) => Promise<PseudoTerminal>
}

const test = base.extend<Fixtures>({
  app: async ({}, use) => {
    const started: HttpReceiver[] = []
    await use(async (respond, port = 0) => {
      const receiver = await startHttpReceiver(respond, { port })
      started.push(receiver)
      return receiver
    })
    await Promise.all(started.map((receiver) => receiver.close()))
  },
  terminal: async ({ program, prepared: { directory } }, use) => {
    const opened: PseudoTerminal[] = []
    await use(async (...words) => {
      const started = [process.execPath, ...nodeFlags, program, ...words]
      const terminal = await openPseudoTerminal({ program: started, directory, environment, lines: 60, columns: 130 })
      opened.push(terminal)
      return terminal
    })
    for (const { kill } of opened) kill()
    await Promise.all(opened.map(({ ended }) => ended))
  },
})

const escape = '\u001b'
/** What may reach a terminal: places, colours, parts that are cleared, and the screen of its own. */
const ownSequences = new RegExp(`${escape}\\[(?:\\d+;1H|[\\d;]*m|[KJ]|2J|\\?(?:1049|25|7)[hl])`, 'g')

describe('listen on a terminal', () => {
  test('shows what comes, inspects it, replays it by a key, and gives the terminal back', async ({
    prepared: commandLine,
    app,
    terminal,
  }) => {
    const { url: to, requests } = await app()
    const screen = await terminal('listen', 'stripe', '--forward', `${to}/hooks?key=hush`, '--port', '0')
    const url = /(http:\/\/127\.0\.0\.1:\d+)\/in\/stripe → /.exec(await screen.until(/Waiting for webhooks/))?.[1] ?? ''
    const evil = '\u001b[2J\u001b]0;owned\u0007'
    await post(url, { id: 'evt_1', type: `invoice.${evil}`, payload: { note: `${evil}\u009b2J` } })

    await screen.until(/› \d\d:\d\d:\d\d +stripe +invoice\.\\u\{1b\}.* evt_1 .*✓ processed +200/)
    await post(url, { id: 'evt_1', type: `invoice.${evil}`, payload: { note: `${evil}\u009b2J` } })
    await screen.until(/✓ processed +200 .*\+1/)
    screen.press('\r')
    const inspected = await screen.until(/"note": /)
    expect(inspected).toMatch(/attempt 1 succeeded, handler stripe\/listen/)
    expect(inspected).toMatch(/Answer\n +200 in [\d.]+ m?s, to attempt 1/)
    expect(inspected).toContain('content-type: application/json')
    expect(inspected).not.toContain('stripe-signature')

    screen.press('r')
    await screen.until(/replayed by listen: the key r of listen/)
    await until(
      () => requests.length,
      (count) => count === 2,
    )
    screen.press('\u001b')
    await screen.until(/✓ processed +200/)
    screen.press('p')
    await screen.until(/paused, 0 new/)
    await post(url, { id: 'evt_2', type: 'invoice.paid' })
    expect(await screen.until(/paused, 1 new/)).not.toContain('evt_2')
    screen.press('p')
    await screen.until(/evt_2 .*\n.*evt_1/)
    screen.press('/EVT_1\r')
    expect(await screen.until(/filter: EVT_1 {2}↑↓/)).not.toContain('evt_2')
    screen.resize(20, 60)
    await screen.until(/^ +TIME +TYPE +EVENT +STATUS +ANSWER$/m)
    screen.press('?')
    await screen.until(/the same Idempotency-Key$/m)
    screen.press('q')

    expect(await screen.ended).toBe(0)
    expect(screen.written().replaceAll(ownSequences, '')).not.toMatch(/[^\P{Cc}\r\n]/u)
    expect(screen.written()).toContain('\u001b[?7h\u001b[?25h\u001b[?1049l')
    expect(screen.written()).not.toContain('hush')
    const [first, again, other] = requests
    expect([first?.headers['idempotency-key'], again?.body]).toEqual([again?.headers['idempotency-key'], first?.body])
    expect(other?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key'])
    expect(requests.map(isBelieved)).toEqual([true, true, true])
    const { receipt, timeline } = await commandLine.json<Shown>(['receipts', '1'])
    expect(receipt).toMatchObject({ eventId: 'evt_1', status: 'processed', deliveries: 2 })
    expect(timeline.filter(({ kind }) => kind === 'replay')).toMatchObject([
      { by: 'listen', why: 'the key r of listen' },
    ])
  })
})

describe('listen without a terminal', () => {
  test('retries while nobody listens at the other end, says what to do, and sends the exact bytes once somebody does', async ({
    prepared: commandLine,
    app,
  }) => {
    const gone = await app()
    await gone.close()
    const listening = commandLine.start(
      ['listen', 'stripe', '--forward', `localhost:${gone.port}/a`, '--port', '0'],
      environment,
    )
    const url = /Send webhooks to +(\S+)\/in/.exec(await listening.until(/Waiting for webhooks/))?.[1] ?? ''
    const copies = await Promise.all(
      Array.from({ length: 5 }, () => post(url, { id: 'evt_1', type: 'charge.refunded' })),
    )

    const shown = await listening.until(/retried .*ECONNREFUSED/)
    const { requests } = await app(undefined, gone.port)
    await listening.until(/processed .* attempt \d+, answered 200/)

    expect(shown).toMatch(
      /again in [\d.]+ m?s: .*could not be reached: ECONNREFUSED\. Nobody listens there: start your app/,
    )
    expect(copies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '200', '200', '202'])
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ path: '/a', method: 'POST', body: copies[0]?.body })
    expect(requests.map(isBelieved)).toEqual([true])
    expect(await commandLine.json(['receipts'])).toMatchObject([
      { eventId: 'evt_1', status: 'processed', deliveries: 5 },
    ])
    listening.kill('SIGTERM')
    expect(await listening.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/Stopped\. Everything/) })
  })

  test('lends its sources from a configuration whose handlers do not run, and tells machines each event in a line', async ({
    prepared: commandLine,
    program,
  }) => {
    const provider = join(dirname(program), '../providers/stripe.js')
    const touched = join(commandLine.directory, 'touched')
    writeFileSync(
      join(commandLine.directory, 'oncehook.config.mjs'),
      `import { writeFileSync } from 'node:fs'
      import { stripe } from ${JSON.stringify(provider)}
      const run = () => writeFileSync(${JSON.stringify(touched)}, '')
      export default {
        database: 'postgres://nobody@127.0.0.1:1/none',
        sources: { shop: { provider: stripe({ secret: '${secret}' }), on: { '*': run } } },
      }`,
    )
    const listening = commandLine.start(['listen', '--json', '--port', '0'])
    const [started] = documents(await listening.until(/"kind":"started".*\n/))
    const { url } = started as { readonly url: string }

    await post(url, { id: 'evt_1', type: 'invoice.paid' }, 'shop')
    const lines = documents(await listening.until(/"kind":"delivery".*\n/))

    expect(started).toMatchObject({ sources: [{ name: 'shop', url: `${url}/in/shop` }], store: 'embedded' })
    expect(lines.at(-1)).toMatchObject({ kind: 'delivery', outcome: 'ignored', eventId: 'evt_1', receiptId: '1' })
    listening.kill('SIGINT')
    const { code, stdout } = await listening.ended
    expect([code, documents(stdout).at(-1)]).toMatchObject([0, { kind: 'stopped' }])
    expect(existsSync(touched)).toBe(false)
    expect(await commandLine.json(['receipts'])).toMatchObject([{ source: 'shop', status: 'ignored' }])
    expect(await commandLine.run(['listen', 'stripe'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('oncehook.config.mjs has no source "stripe". There are: shop.'),
    })
  })
})

describe('listen where a receiver runs already', () => {
  test('watches that one, replays there by a key, ends with it, and forwards nothing behind its back', async ({
    prepared: commandLine,
    terminal,
  }) => {
    const receiver = commandLine.start(['start', '--port', '0', '--no-demo'], environment)
    const url = /Send webhooks to +(\S+)\/in/.exec(await receiver.until(/Waiting for webhooks/))?.[1] ?? ''
    const watching = await attached(commandLine)
    const screen = await terminal('listen')
    await screen.until(/Waiting for webhooks/)

    await post(url, { id: 'evt_1', type: 'invoice.paid' })
    const lines = documents(await watching.until(/"kind":"handler".*\n/))
    await screen.until(/evt_1 .*✓ processed/)
    screen.press('r')
    await watching.until(/(?:"kind":"handler".*\n[^]*){2}/)
    screen.press('q')
    const stranger = await commandLine.run(['listen', 'acme'])
    const refused = await commandLine.run(['listen', '--forward', 'localhost:3000'])

    expect(lines[0]).toMatchObject({ kind: 'attached', url })
    expect(lines.map(({ kind, outcome }) => [kind, outcome])).toEqual(
      expect.arrayContaining([
        ['delivery', 'accepted'],
        ['handler', 'succeeded'],
      ]),
    )
    expect(stranger).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no provider "acme"') })
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /A receiver runs here already, at .*, so --forward has to wait: stop it first, or watch/,
      ),
    })
    expect(await screen.ended).toBe(0)
    const { timeline } = await commandLine.json<Shown>(['receipts', '1'])
    expect(timeline.filter(({ kind }) => kind === 'replay')).toMatchObject([{ by: 'listen' }])
    receiver.kill('SIGTERM')
    expect(await watching.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/was watched has stopped/) })
    expect(await commandLine.json<readonly Receipt[]>(['receipts'])).toHaveLength(1)
  })
})

type Shown = { readonly receipt: Receipt; readonly timeline: readonly TimelineEntry[] }

async function attached(commandLine: CommandLine): Promise<Running> {
  const watching = commandLine.start(['listen', 'stripe', '--json'])
  await watching.until(/"kind":"attached".*\n/)
  return watching
}

function documents(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
