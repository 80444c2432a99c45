import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Receipt } from '../../src/index.ts'
import { type CommandLine, type Running, test } from './command-line.ts'

type Sent = {
  readonly events: readonly string[]
  readonly answers: readonly { readonly status: number; readonly verdict: string }[]
  readonly effects?: number
}

const ready = /Waiting for webhooks/

describe('the first start', () => {
  test('shows one processed event, one absorbed duplicate and one effect', async ({ commandLine }) => {
    const receiver = commandLine.start(['start', '--port', '0'])

    const shown = await receiver.until(ready)

    expect(shown).toMatch(/Send webhooks to +http:\/\/127\.0\.0\.1:\d+\/in\/<source>/)
    expect(shown).toMatch(/Durability +T\d/)
    expect(shown).toMatch(/npx oncehook send stripe invoice\.paid --times 5 --parallel/)
    expect(verdicts(shown)).toEqual(['accepted', 'duplicate', 'processed'])
    expect(shown).toContain('2 deliveries → 1 receipt → 1 effect')
    expect(await commandLine.json(['receipts'])).toHaveLength(1)
    expect(await commandLine.json(['receipts', '1'])).toMatchObject({ receipt: { status: 'processed', deliveries: 2 } })
  })

  test('tells machines the same, one JSON document per line', async ({ prepared: commandLine }) => {
    const receiver = commandLine.start(['start', '--port', '0', '--json'])

    const lines = documents(await receiver.until(/"kind":"demo".*\n/))

    expect(lines[0]).toMatchObject({ kind: 'started', store: 'embedded', url: expect.stringContaining('http://') })
    expect(lines.at(-1)).toMatchObject({ kind: 'demo', deliveries: 2, receipts: 1, effects: 1 })
    expect(lines.filter(({ kind }) => kind === 'delivery').map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(['accepted', 'duplicate']),
    )
    receiver.kill('SIGTERM')
    const { code, stdout, stderr } = await receiver.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(documents(stdout).at(-1)).toMatchObject({ kind: 'stopped' })
  })

  test('keeps secrets and the way to the receiver from other users, and prints no secret', async ({
    prepared: commandLine,
  }) => {
    const receiver = commandLine.start(['start', '--port', '0'])
    const shown = await receiver.until(ready)

    const home = join(commandLine.directory, '.oncehook')
    const modes = ['', 'secrets.json', 'control.json'].map((name) => statSync(join(home, name)).mode & 0o777)
    const { stripe } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'))
    const { token } = JSON.parse(readFileSync(join(home, 'control.json'), 'utf8'))

    expect(modes).toEqual([0o700, 0o600, 0o600])
    expect(shown).not.toContain(stripe.secret)
    expect(shown).not.toContain(token)
    receiver.kill('SIGTERM')
    await receiver.ended
    expect(existsSync(join(home, 'control.json'))).toBe(false)
  })
})

describe('a receiver', () => {
  test('lets twenty copies that come at once take effect once', async ({ prepared: commandLine }) => {
    await quietReceiver(commandLine)

    const sent = await commandLine.json<Sent>(['send', 'stripe', 'invoice.paid', '--times', '20', '--parallel'])

    expect(sent.answers.every(({ status }) => status === 200 || status === 202)).toBe(true)
    expect(sent.answers.filter(({ verdict }) => verdict === 'duplicate')).toHaveLength(19)
    expect(sent.effects).toBe(1)
    expect(await commandLine.json(['receipts'])).toMatchObject([{ eventId: sent.events[0], status: 'processed' }])
  })

  test('turns a forgery away and stores nothing of it', async ({ prepared: commandLine }) => {
    const receiver = await quietReceiver(commandLine)

    const { code, stdout } = await commandLine.run(['send', 'stripe', '--forge'])

    expect(code).toBe(0)
    expect(stdout).toMatch(/401 {2}forged/)
    expect(await receiver.until(/forged/)).toMatch(/forged .*signature_mismatch/)
    expect(await commandLine.json(['receipts'])).toEqual([])
  })

  test('knows every provider, and takes events of one of each kind, each once', async ({ prepared: commandLine }) => {
    await quietReceiver(commandLine)
    const listed = await commandLine.json<readonly { provider: string }[]>(['send', '--list'])
    // A signature, a token, a form, a query, the body, a certificate, a key pair, XML.
    const providers = [
      'github',
      'telegram',
      'twilio',
      'docker-hub',
      'mailgun',
      'aws-sns',
      'discord',
      'salesforce-outbound',
    ]
    expect(listed).toHaveLength(99)

    const effects: Record<string, number | undefined> = {}
    for (const provider of providers) {
      effects[provider] = (await commandLine.json<Sent>(['send', provider, '--times', '2'])).effects
    }

    expect(effects).toEqual(Object.fromEntries(providers.map((provider) => [provider, 1])))
  })

  test('believes the secret in the environment', async ({ prepared: commandLine }) => {
    const own = { STRIPE_WEBHOOK_SECRET: 'whsec_dGhpcyBpcyBhIHRlc3Qgc2VjcmV0' }
    const receiver = commandLine.start(['start', '--port', '0', '--no-demo'], own)
    expect(await receiver.until(ready)).toContain('from STRIPE_WEBHOOK_SECRET')

    const [stranger, known] = [
      await commandLine.run(['send', 'stripe']),
      await commandLine.run(['send', 'stripe'], own),
    ]

    expect(stranger).toMatchObject({ code: 1, stderr: expect.stringContaining('no secret') })
    expect(known.code).toBe(0)
  })

  test('serves nothing but webhooks and its health over HTTP', async ({ prepared: commandLine }) => {
    const receiver = await quietReceiver(commandLine)
    const url = /(http:\/\/127[^/]+)\/in/.exec(await receiver.until(ready))?.[1]

    const answers = await Promise.all(
      ['/healthz', '/', '/find', '/replay', '/in/nobody'].map(async (path) => {
        const { status } = await fetch(`${url}${path}`, path === '/healthz' ? {} : { method: 'POST', body: '[{}]' })
        return status
      }),
    )

    expect(answers).toEqual([200, 404, 404, 404, 404])
  })

  test('obeys nobody on its control socket who does not know the token', async ({ prepared: commandLine }) => {
    await quietReceiver(commandLine)
    const { socket } = JSON.parse(readFileSync(join(commandLine.directory, '.oncehook/control.json'), 'utf8'))

    const asked = request({ socketPath: socket, path: '/find', method: 'POST', headers: { authorization: 'Bearer ' } })
    asked.end('[{}]')
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume()

    expect(response.statusCode).toBe(401)
    expect(statSync(socket).mode & 0o777).toBe(0o600)
  })

  test('is refused a second time in the same directory', async ({ prepared: commandLine }) => {
    await quietReceiver(commandLine)

    const { code, stderr } = await commandLine.run(['start', '--port', '0'])

    expect(code).toBe(1)
    expect(stderr).toMatch(/A receiver runs here already, at http:\/\/127\.0\.0\.1:\d+ \(process \d+\)/)
  })

  test('does not take a port from another program, and names a free one', async ({ prepared: commandLine }) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { readonly port: number }

    const { code, stderr } = await commandLine.run(['start', '--port', String(port)])

    other.close()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      new RegExp(
        `Port ${port} of 127.0.0.1 is in use by another program. Port (\\d+) is free: start again with --port \\1`,
      ),
    )
  })
})

describe('a receiver that ends', () => {
  test.for(['SIGTERM', 'SIGINT'] as const)(
    'by %s ends well, and its receipts are there at the next start',
    async (signal, { prepared: commandLine }) => {
      const receiver = await quietReceiver(commandLine)
      const sent = await commandLine.json<Sent>(['send', 'github', 'push'])

      receiver.kill(signal)

      expect((await receiver.ended).code).toBe(0)
      await quietReceiver(commandLine)
      expect(await commandLine.json(['receipts'])).toMatchObject([{ eventId: sent.events[0], status: 'processed' }])
      const again = await commandLine.json<Sent>(['send', 'github', 'push', '--id', sent.events[0] ?? ''])
      expect(again.effects).toBe(1)
    },
  )

  test('by force leaves receipts that commands can look at, and does not stand in the way of the next', async ({
    prepared: commandLine,
  }) => {
    const receiver = await quietReceiver(commandLine)
    await commandLine.json<Sent>(['send', 'github', 'push', '--times', '3'])

    receiver.kill('SIGKILL')
    await receiver.ended

    expect(await commandLine.json<readonly Receipt[]>(['receipts'])).toHaveLength(1)
    await quietReceiver(commandLine)
    expect(await commandLine.json<readonly Receipt[]>(['receipts'])).toHaveLength(1)
  })
})

/** A receiver without the demo's own event. */
async function quietReceiver(commandLine: CommandLine): Promise<Running> {
  const receiver = commandLine.start(['start', '--port', '0', '--no-demo'])
  await receiver.until(ready)
  return receiver
}

function verdicts(shown: string): readonly string[] {
  return shown
    .split('\n')
    .flatMap((line) => /^\d\d:\d\d:\d\d\.\d{3} +stripe +(\w+)/.exec(line)?.[1] ?? [])
    .toSorted()
}

function documents(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
