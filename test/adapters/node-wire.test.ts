import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { nodeHandler } from '../../src/adapters/node-http.ts'
import { head, rawConnection } from './raw-socket.ts'
import { accepted, recordingDoor } from './recording-door.ts'
import { serveNode } from './serve-node.ts'
import { serveByServer } from './serve-webhooks.ts'
import { type Serve, testWith } from './served.ts'
import { signal } from './signal.ts'

const run = promisify(execFile)

const served = [
  ['node:http and the handler', ({ door, ...options }) => serveNode(nodeHandler({ door }, options))],
  ['the server', serveByServer],
] as const satisfies readonly (readonly [string, Serve])[]

describe.for(served)('on the wire of %s', ([, serveAdapter]) => {
  const test = testWith(serveAdapter)

  test('a header that is sent twice stays two values', async ({ serve }) => {
    const door = recordingDoor()
    const { origin } = await serve({ door })
    const connection = await rawConnection(portOf(origin))

    connection.write(
      head(
        'X-Acme-Signature: real',
        'x-acme-signature: forged',
        'Authorization: a',
        'Authorization: b',
        'Content-Length: 2',
      ),
    )
    connection.write('{}')
    await connection.until('"accepted"')

    expect(door.received[0]?.delivery.headers.get('x-acme-signature')).toEqual(['real', 'forged'])
    expect(door.received[0]?.delivery.headers.get('authorization')).toEqual(['a', 'b'])
    connection.socket.destroy()
  })

  test.for([
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['two different lengths', ['Content-Length: 2', 'Content-Length: 3']],
    ['a length that is no number', ['Content-Length: 2x']],
    ['an encoding after chunked', ['Transfer-Encoding: chunked, identity']],
  ] as const)('a request with %s is refused', async ([, headers], { serve }) => {
    const door = recordingDoor()
    const { origin } = await serve({ door })
    const connection = await rawConnection(portOf(origin))

    connection.write(`${head(...headers)}{}`)

    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 400 /)
    expect(door.received).toEqual([])
  })

  test('a sender that goes away in its body leaves nothing, and the next one is served', async ({ serve }) => {
    const refused = signal()
    const door = { ...recordingDoor(), onRefused: refused.give }
    const { origin, send } = await serve({ door })
    const connection = await rawConnection(portOf(origin))

    connection.write(head('Content-Length: 100'))
    connection.write('{"id":')
    connection.socket.destroy()
    await refused.given

    expect(door.received).toEqual([])
    expect(door.errors).toEqual([])
    expect((await send({ body: Buffer.from('{}') })).status).toBe(202)
  })

  test('a sender that goes away before its answer is still received, and the next one is served', async ({ serve }) => {
    const received = signal()
    const gone = signal()
    const door = recordingDoor({
      receive: async () => {
        received.give()
        await gone.given
        return accepted
      },
    })
    const { origin, send } = await serve({ door })
    const connection = await rawConnection(portOf(origin))

    connection.write(`${head('Content-Length: 2')}{}`)
    await received.given
    connection.socket.destroy()
    gone.give()

    expect((await send({ body: Buffer.from('{}') })).status).toBe(202)
    expect(door.received).toHaveLength(2)
    expect(door.errors).toEqual([])
  })

  test.for([
    ['too large', ['Content-Length: 2000000'], 413],
    ['too slow', ['Content-Length: 20'], 408],
    ['in an encoding that is not read', ['Content-Length: 20', 'Content-Encoding: gzip'], 415],
  ] as const)(
    'a body that is %s is answered at once, and the connection closed',
    async ([, headers, status], { serve }) => {
      const { origin } = await serve({ door: recordingDoor(), readSeconds: 0.05 })
      const connection = await rawConnection(portOf(origin))

      connection.write(`${head(...headers)}{"id":`)
      const answer = await connection.untilClosed()

      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n')
    },
  )

  test('a refused sender gets to read its answer, although it is still sending', async ({ serve }) => {
    const { origin } = await serve({ door: recordingDoor() })
    // In a process of its own: in this one, sender and receiver take turns, and the reset never overtakes the answer.
    const sender = `
      import { request } from 'node:http'
      for (let times = 0; times < 10; times += 1) {
        console.log(await new Promise((resolve) => {
          const outgoing = request(process.argv[1], { method: 'POST', agent: false })
          outgoing.on('response', (response) => resolve(response.resume().statusCode))
          outgoing.on('error', ({ code }) => resolve(code))
          outgoing.end(Buffer.alloc(20_000_000))
        }))
      }`

    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', sender, `${origin}/in/acme`])

    expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 10 }, () => '413'))
  })

  test('a connection serves one request after the other', async ({ serve }) => {
    const door = recordingDoor()
    const { origin } = await serve({ door })
    const connection = await rawConnection(portOf(origin))

    connection.write(`${head('Content-Length: 3')}one${head('Content-Length: 3', 'Connection: close')}two`)
    await connection.untilClosed()

    expect(door.received.map(({ delivery }) => Buffer.from(delivery.body).toString())).toEqual(['one', 'two'])
  })
})

function portOf(origin: string): number {
  return Number(new URL(origin).port)
}
