import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, test as plainTest } from 'vitest'
import { createPlainLane, type PlainLane, type PlainLaneOptions } from '../../src/adapters/plain/plain-lane.ts'
import type { Answer } from '../../src/verify/provider.ts'
import { until } from '../support/until.ts'
import { head, type RawConnection, rawConnection } from './raw-socket.ts'
import { recordingDoor } from './recording-door.ts'
import { serveByServer } from './serve-webhooks.ts'
import { testWith } from './served.ts'
import { signal } from './signal.ts'

type Lane = PlainLane & {
  readonly connect: () => Promise<RawConnection>
  /** What was answered here, and what was handed over. */
  readonly answered: string[]
  readonly handedOver: string[]
  /** The server's ends of the connections. */
  readonly sockets: Socket[]
}

const test = plainTest.extend<{ open: (options?: Partial<PlainLaneOptions>) => Promise<Lane> }>({
  open: async ({}, use) => {
    const closers: (() => void)[] = []
    await use(async (options) => {
      const answered: string[] = []
      const handedOver: string[] = []
      const sockets: Socket[] = []
      const lane = createPlainLane({
        takes: ({ target }) => target !== '/elsewhere',
        answer: async (_request, body) => {
          answered.push(body.toString())
          return { status: 200, body: 'taken' }
        },
        keepAliveSeconds: 60,
        silenceSeconds: 60,
        handOver: (socket) => void socket.on('data', (bytes: Buffer) => handedOver.push(bytes.toString('latin1'))),
        onIdle: () => {},
        ...options,
      })
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        sockets.push(socket)
        lane.take(socket)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      closers.push(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
      const { port } = server.address() as AddressInfo
      return { ...lane, answered, handedOver, sockets, connect: () => rawConnection(port) }
    })
    for (const close of closers) close()
  },
})

const plain = (body: string): string => `${head(`Content-Length: ${body.length}`)}${body}`

describe('a connection', () => {
  test('is served here for as long as its requests are plain', async ({ open }) => {
    const { connect, answered, handedOver } = await open()
    const connection = await connect()

    connection.write(plain('one'))
    await connection.until('taken')
    connection.write(plain('two') + plain('three'))
    await until(
      async () => answered.length,
      (count) => count === 3,
    )

    expect(answered).toEqual(['one', 'two', 'three'])
    expect(handedOver).toEqual([])
  })

  test('is handed over with every byte of what is not plain, and of what comes after', async ({ open }) => {
    const { connect, answered, handedOver } = await open()
    const connection = await connect()
    const other = `${head('Transfer-Encoding: chunked')}3\r\ntwo\r\n0\r\n\r\n`

    connection.write(plain('one') + other)
    await connection.until('taken')
    connection.write(plain('three'))
    await until(
      async () => handedOver.join(''),
      (bytes) => bytes.endsWith('three'),
    )

    expect(answered).toEqual(['one'])
    expect(handedOver.join('')).toBe(other + plain('three'))
  })

  test('is handed over when a request is for somebody else', async ({ open }) => {
    const { connect, answered, handedOver } = await open()
    const elsewhere = plain('{}').replace('/in/acme', '/elsewhere')

    ;(await connect()).write(elsewhere)
    await until(
      async () => handedOver.join(''),
      (bytes) => bytes === elsewhere,
    )

    expect(answered).toEqual([])
  })

  test.for([
    ['its head', 'POST /in/acme HTTP/1.1\r\nHost'],
    ['its body', `${head('Content-Length: 9')}{"id"`],
  ] as const)('is handed over when a request does not go on in %s', async ([, part], { open }) => {
    const { connect, handedOver } = await open()

    ;(await connect()).write(part)

    await until(
      async () => handedOver.join(''),
      (bytes) => bytes === part,
    )
  })

  test('stays here when the rest of a request comes in time, in whatever pieces', async ({ open }) => {
    const { connect, answered, handedOver } = await open()
    const connection = await connect()
    connection.socket.setNoDelay(true)

    for (const letter of plain('{"id":1}')) connection.write(letter)
    await connection.until('taken')

    expect(answered).toEqual(['{"id":1}'])
    expect(handedOver).toEqual([])
  })

  test('that says nothing is closed', async ({ open }) => {
    const { connect } = await open({ silenceSeconds: 0.05 })

    expect(await (await connect()).untilClosed()).toBe('')
  })

  test('is closed some time after its last answer', async ({ open }) => {
    const { connect } = await open({ keepAliveSeconds: 0.05 })
    const connection = await connect()

    connection.write(plain('{}'))

    expect(await connection.untilClosed()).toMatch(/taken$/)
  })

  test('is not closed while it waits for an answer', async ({ open }) => {
    const mayAnswer = signal()
    const { connect, sockets } = await open({
      silenceSeconds: 0.05,
      answer: async () => {
        await mayAnswer.given
        return { status: 200, body: 'late' }
      },
    })
    const connection = await connect()
    connection.write(plain('{}'))
    await until(
      async () => sockets[0],
      (socket) => socket !== undefined,
    )
    await once(sockets[0] as Socket, 'timeout')

    mayAnswer.give()

    expect(await connection.until('late')).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  test('of a sender that has sent its last still gets the answer', async ({ open }) => {
    const { connect } = await open()
    const connection = await connect()

    connection.socket.end(plain('{}'), 'latin1')

    expect(await connection.untilClosed()).toMatch(/taken$/)
  })

  test('that breaks off in a head is told so', async ({ open }) => {
    const { connect, answered } = await open()
    const connection = await connect()

    connection.socket.end('POST /in/acme HTTP/1.1\r\nHost: a')

    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(answered).toEqual([])
  })

  test.for(['end', 'destroy'] as const)('that breaks off in a body (%s) is counted once', async (how, { open }) => {
    const { connect, answered } = await open()
    const connection = await connect()

    connection.socket.write(`${head('Content-Length: 9')}{"id"`, () => connection.socket[how]())
    await until(
      async () => answered.length,
      (count) => count > 0,
    )
    await connection.untilClosed()

    expect(answered).toEqual(['cut_short'])
  })

  test('whose answers are not read is not read any further', async ({ open }) => {
    const waitingBytes: number[] = []
    const answer: Answer = { status: 200, body: 'x'.repeat(1 << 20) }
    const { connect, sockets } = await open({
      answer: async () => {
        waitingBytes.push(sockets[0]?.writableLength ?? 0)
        return answer
      },
    })
    const connection = await connect()
    connection.socket.pause()

    connection.write(plain('{}').repeat(30))
    await until(
      async () => sockets[0]?.writableLength ?? 0,
      (bytes) => bytes > 0,
    )
    connection.socket.resume()
    await until(
      async () => waitingBytes.length,
      (count) => count === 30,
    )

    expect(Math.max(...waitingBytes)).toBeLessThan(2 << 20)
  })

  test('that sends on before its answer is not read any further', async ({ open }) => {
    const { connect, sockets } = await open({ answer: () => new Promise(() => {}) })
    const connection = await connect()
    connection.write(plain('{}'))
    connection.socket.write(Buffer.alloc(16 << 20, 'x'))

    // As soon as nothing more comes.
    let before = 0
    await until(
      async () => sockets[0]?.bytesRead ?? 0,
      (bytes) => {
        const isSame = bytes > 0 && bytes === before
        before = bytes
        return isSame
      },
    )

    expect(before).toBeLessThan(1 << 20)
  })

  test('ends when an answer cannot be given', async ({ open }) => {
    const { connect } = await open({ answer: () => Promise.reject(new Error('broken')) })
    const connection = await connect()

    connection.write(plain('{}'))

    expect(await connection.untilClosed()).toBe('')
  })
})

describe('an answer', () => {
  const serverTest = testWith(serveByServer)

  serverTest.for([
    ['ours', undefined],
    ['without a body', { status: 204 }],
    ['empty', { status: 200 }],
    ['of letters beyond ASCII', { status: 203, headers: { 'x-note': 'yes' }, body: '<R\u00e9ponse>\u20ac</R>' }],
    ['that ends the connection', { status: 200, headers: { connection: 'close' }, body: 'ok' }],
  ] as const)('%s is what node:http would have sent', async ([, answer], { serve }) => {
    const { origin } = await serve({
      door: recordingDoor(answer === undefined ? {} : { answer: () => answer }),
    })
    const answerTo = async (...headers: readonly string[]): Promise<string> => {
      const connection = await rawConnection(Number(new URL(origin).port))
      connection.write(`${head('Content-Length: 2', ...headers)}{}`)
      const seen = await connection.until('\r\n\r\n')
      connection.socket.destroy()
      return seen
    }

    const here = await answerTo()
    // A letter beyond ASCII in a header is for node:http.
    const there = await answerTo('X-Letter: \u00e4')

    expect(factsOf(here)).toEqual(factsOf(there))
  })
})

/** Status, and the headers that a sender goes by, whatever their order and case. */
function factsOf(answer: string): readonly string[] {
  const [statusLine = '', ...lines] = (answer.split('\r\n\r\n')[0] ?? '').split('\r\n')
  const headers = lines
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter((line) => !/^(?:date|content-length|transfer-encoding):/.test(line))
  return [statusLine, ...headers.toSorted()]
}

describe('a lane that finishes', () => {
  test('ends what is idle, and what runs with its answer', async ({ open }) => {
    const mayAnswer = signal()
    const idle = signal()
    const lane = await open({
      answer: async () => {
        await mayAnswer.given
        return { status: 200, body: 'last' }
      },
      onIdle: idle.give,
    })
    const waiting = await lane.connect()
    const silent = await lane.connect()
    const inHead = await lane.connect()
    waiting.write(plain('{}'))
    inHead.write('POST ')
    await until(
      async () => lane.isBusy() && lane.sockets.every(({ bytesRead }, index) => index === 1 || bytesRead > 0),
      (isThere) => isThere && lane.sockets.length === 3,
    )

    lane.finish()
    expect(await silent.untilClosed()).toBe('')
    expect(await inHead.untilClosed()).toBe('')
    mayAnswer.give()
    await idle.given

    expect(await waiting.untilClosed()).toMatch(/Connection: close[^]*last$/)
    expect(lane.isBusy()).toBe(false)
  })

  test('lets a body come to its end', async ({ open }) => {
    const lane = await open()
    const connection = await lane.connect()
    connection.write(`${head('Content-Length: 2')}{`)
    await until(
      async () => lane.isBusy(),
      (isBusy) => isBusy,
    )

    lane.finish()
    connection.write('}')

    expect(await connection.untilClosed()).toMatch(/Connection: close[^]*taken$/)
    expect(lane.answered).toEqual(['{}'])
    expect(lane.handedOver).toEqual([])
  })
})
