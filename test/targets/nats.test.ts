import { randomUUID } from 'node:crypto'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, headers } from '@nats-io/transport-node'
import { connect as connectOld, headers as oldHeaders } from 'nats'
import { test as base, describe, expect } from 'vitest'
import { type JetStreamPublisher, type NatsHeaders, nats } from '../../src/targets/nats.ts'
import { natsStarter } from '../support/nats-server.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { outgoingMessage, patient, traceparent } from './outgoing-message.ts'

const published = { kind: 'published' }

const startNats = await natsStarter()

async function start(): Promise<ServerProcess> {
  if (startNats === undefined) throw new Error('No NATS server.')
  return startNats()
}

type Opened = {
  readonly client: JetStreamPublisher
  readonly headers: () => NatsHeaders
  readonly close: () => Promise<void>
}

const reconnecting = { reconnectTimeWait: 10, maxReconnectAttempts: -1 }

const clients: Readonly<Record<string, (port: number) => Promise<Opened>>> = {
  '@nats-io/jetstream': async (port) => {
    const connection = await connect({ servers: `127.0.0.1:${port}`, ...reconnecting })
    return { client: jetstream(connection), headers, close: () => connection.close() }
  },
  nats: async (port) => {
    const connection = await connectOld({ servers: `127.0.0.1:${port}`, ...reconnecting })
    return { client: connection.jetstream(), headers: oldHeaders, close: () => connection.close() }
  },
}

type Stored = {
  readonly id: string | undefined
  readonly subject: string
  readonly text: string
  readonly traceparent: string
}

type NatsFixtures = {
  readonly server: ServerProcess
  /** A NATS server for this test alone, to be taken down. */
  readonly mortalServer: ServerProcess
}

const test = base.extend<NatsFixtures>({
  server: [
    async ({}, use) => {
      const server = await start()
      await use(server)
      await server.stop()
    },
    { scope: 'file' },
  ],
  mortalServer: async ({}, use) => {
    const server = await start()
    await use(server)
    await server.stop()
  },
})

/** A stream of its own: what begins with its name is stored in it. */
async function makeStream(port: number): Promise<string> {
  const connection = await connect({ servers: `127.0.0.1:${port}` })
  const name = randomUUID()
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name, subjects: [`${name}.>`] })
  await connection.close()
  return name
}

async function storedIn(port: number, name: string): Promise<readonly Stored[]> {
  const connection = await connect({ servers: `127.0.0.1:${port}` })
  const { streams } = await jetstreamManager(connection)
  const { state } = await streams.info(name)
  const stored: Stored[] = []
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await streams.getMessage(name, { seq })
    if (message === null) continue
    const { header, subject } = message
    stored.push({
      id: header.get('Nats-Msg-Id'),
      subject,
      text: message.string(),
      traceparent: header.get('traceparent'),
    })
  }
  await connection.close()
  return stored
}

describe.skipIf(startNats === undefined).for(Object.entries(clients))('a JetStream stream, through %s', ([, open]) => {
  test('stores each message with its key, in order', async ({ server: { port } }) => {
    const { client, headers, close } = await open(port)
    const stream = await makeStream(port)
    const messages = [
      outgoingMessage({ json: '{"note":"grüße"}' }),
      outgoingMessage(),
      outgoingMessage({ traceparent }),
    ]

    const results = await nats({ jetstream: client, subject: `${stream}.paid`, headers }).deliver(messages, patient())
    await close()

    expect(results).toEqual([published, published, published])
    expect(await storedIn(port, stream)).toEqual(
      messages.map(({ idempotencyKey, json, traceparent = '' }) => {
        return { id: idempotencyKey, subject: `${stream}.paid`, text: json, traceparent }
      }),
    )
  })

  test('stores a message once that comes again, and calls the copy published', async ({ server: { port } }) => {
    const { client, close } = await open(port)
    const stream = await makeStream(port)
    const target = nats({ jetstream: client, subject: `${stream}.paid` })
    const message = outgoingMessage({ idempotencyKey: ' größe 100%\r\n' })

    const results = [
      ...(await target.deliver([message, message], patient())),
      ...(await target.deliver([{ ...message, attempt: 2 }], patient())),
    ]
    await close()

    expect(results).toEqual([published, published, published])
    const stored = await storedIn(port, stream)
    expect(stored.map(({ id }) => decodeURIComponent(id ?? ''))).toEqual([' größe 100%\r\n'])
  })

  test('refuses one message without its neighbours', async ({ server: { port } }) => {
    const { client, close } = await open(port)
    const stream = await makeStream(port)
    const subjects = [`${stream}.a`, 'nobody.listens', `${stream}.*`, `${stream}.b c`, `${stream}.d`]
    const messages = subjects.map((message) => outgoingMessage({ message }))

    const results = await nats({ jetstream: client, subject: ({ message }) => String(message) }).deliver(
      messages,
      patient(),
    )
    await close()

    expect(results).toEqual([
      published,
      { kind: 'failed', error: expect.any(String), retry: 'later' },
      { kind: 'failed', error: expect.stringContaining('subject'), retry: 'permanent' },
      { kind: 'failed', error: expect.stringContaining('subject'), retry: 'permanent' },
      published,
    ])
    const stored = await storedIn(port, stream)
    expect(stored.map(({ subject }) => subject)).toEqual([`${stream}.a`, `${stream}.d`])
  })

  test('that is away fails in time, and has the message once when it is back', async ({ mortalServer }) => {
    const stream = await makeStream(mortalServer.port)
    const { client, close } = await open(mortalServer.port)
    const target = nats({ jetstream: client, subject: `${stream}.paid`, timeoutSeconds: 0.5 })
    const message = outgoingMessage()

    await mortalServer.kill()
    const whileAway = await target.deliver([message], AbortSignal.timeout(200))
    await mortalServer.restart()
    let afterwards = await target.deliver([{ ...message, attempt: 2 }], patient())
    // The client may still be on its way back, which is one more failed attempt.
    while (afterwards[0]?.kind === 'failed') afterwards = await target.deliver([{ ...message, attempt: 3 }], patient())
    await close()

    expect(whileAway).toMatchObject([{ kind: 'failed', retry: 'later' }])
    expect(afterwards).toEqual([published])
    const stored = await storedIn(mortalServer.port, stream)
    expect(stored.map(({ id }) => id)).toEqual([message.idempotencyKey])
  })
})

describe('the options', () => {
  test.for(['', 'a b', 'a.*', 'a.>', '.a', 'a..b', 'a\n'])('are refused with the subject %j', (subject) => {
    expect(() => nats({ jetstream: {} as never, subject })).toThrow(/jetstream[\s\S]+subject/)
  })
})
