import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { IncomingCapture } from '../capture/door.ts'
import type { CaptureAnswer } from '../store/capture-store.ts'
import { captureHandler } from './capture-handler.ts'

const megabyte = 1024 * 1024
const answer: CaptureAnswer = {
  kind: 'sent',
  status: 200,
  headers: [],
  body: new Uint8Array(),
  delaySeconds: 0,
  origin: 'default',
  rule: undefined,
}

/** A server whose door writes down what comes, and answers what is large when it is told to. */
async function startCaptures() {
  const received: IncomingCapture[] = []
  const held: (() => void)[] = []
  const door = {
    maximumBodyBytes: 25 * megabyte,
    closing: new AbortController().signal,
    receive(incoming: IncomingCapture): Promise<CaptureAnswer> {
      received.push(incoming)
      return incoming.problem === undefined && incoming.bytes > megabyte
        ? new Promise((resolve) => held.push(() => resolve(answer)))
        : Promise.resolve(answer)
    },
  }
  const errors: unknown[] = []
  const options = { readSeconds: 30, trustProxy: false, onError: (error: unknown) => void errors.push(error) }
  const server = createServer(captureHandler({ door }, options)).listen(0, '127.0.0.1')
  const requests: IncomingMessage[] = []
  server.on('request', (request) => requests.push(request))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    received,
    requests,
    errors,
    options,
    send: (bytes: number) =>
      fetch(`http://127.0.0.1:${port}/capture/any`, { method: 'POST', body: new Uint8Array(bytes) }),
    answerFirst: () => held.shift()?.(),
    untilReceived: (count: number) =>
      until(
        () => received.length,
        (length) => length === count,
      ),
    stop: async () => {
      server.close().closeAllConnections()
      await once(server, 'close')
    },
  }
}

describe('large requests that are captured', () => {
  test('share their memory: one waits, unread, until another was answered, and small ones pass', async () => {
    const captures = await startCaptures()
    const first = captures.send(20 * megabyte)
    await captures.untilReceived(1)
    const second = captures.send(18 * megabyte)
    await until(
      () => captures.requests.length,
      (length) => length === 2,
    )
    for (let sent = 0; sent < 50; sent += 1) expect((await captures.send(1000)).status).toBe(200)

    expect(captures.requests[1]?.socket.bytesRead).toBeLessThan(megabyte)
    expect(captures.received.filter(({ bytes }) => bytes > megabyte)).toHaveLength(1)

    captures.answerFirst()
    expect((await first).status).toBe(200)
    await captures.untilReceived(52)
    captures.answerFirst()

    expect((await second).status).toBe(200)
    expect(captures.received.at(-1)).toMatchObject({ bytes: 18 * megabyte, problem: undefined })
    expect(captures.received.at(-1)?.content).toHaveLength(18 * megabyte)
    expect(captures.errors).toEqual([])
    await captures.stop()
  })

  test('are written down as too slow without their body if no turn comes', async () => {
    const captures = await startCaptures()
    const first = captures.send(20 * megabyte)
    await captures.untilReceived(1)
    captures.options.readSeconds = 0.1
    // The answer comes while it is still being sent, and the connection ends.
    const second = captures.send(18 * megabyte).catch(() => undefined)
    await captures.untilReceived(2)

    expect(captures.received.at(-1)).toMatchObject({ bytes: 18 * megabyte, problem: 'too_slow' })
    expect(captures.received.at(-1)?.content).toHaveLength(0)

    captures.options.readSeconds = 30
    captures.answerFirst()
    expect((await first).status).toBe(200)
    const third = captures.send(18 * megabyte)
    await captures.untilReceived(3)
    captures.answerFirst()
    expect((await third).status).toBe(200)
    expect(captures.received.at(-1)).toMatchObject({ bytes: 18 * megabyte, problem: undefined })
    expect(captures.errors).toEqual([])
    await second
    await captures.stop()
  })
})
