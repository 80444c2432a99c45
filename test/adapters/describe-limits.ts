import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { createBodyRoom } from '../../src/delivery/body-room.ts'
import type { Outcome } from '../../src/delivery/outcome.ts'
import { accepted, bodyReceived, type RecordingDoor, recordingDoor } from './recording-door.ts'
import { chunks, type RequestToSend, type Serve, stalled, testWith } from './served.ts'
import { signal } from './signal.ts'

/** What every adapter promises about bodies that are too long, too slow or packed. */
export function describeLimits(name: string, serveAdapter: Serve): void {
  const test = testWith(serveAdapter)

  describe(`the limits of ${name}`, () => {
    test('let a body of exactly the limit in, and none that is longer', async ({ serve }) => {
      const door = recordingDoor({ settings: { maximumBodyBytes: 10 } })
      const { send } = await serve({ door })

      expect((await send({ body: Buffer.alloc(10) })).status).toBe(202)
      expect(await send({ body: Buffer.alloc(11) })).toMatchObject({
        status: 413,
        body: '{"verdict":"too_large","limitBytes":10}',
      })
      expect((await send({ body: chunks('123456', '78901') })).status).toBe(413)
      expect(door.received).toHaveLength(1)
    })

    test('refuse an announced length before a byte has come', async ({ serve }) => {
      const door = recordingDoor({ settings: { maximumBodyBytes: 10 } })
      const { send } = await serve({ door })

      const answer = await send({ headers: { 'content-length': '11' }, body: stalled() })

      expect(answer.status).toBe(413)
      expect(door.refused).toEqual([{ source: 'acme', refusal: { kind: 'too_large', limitBytes: 10 } }])
    })

    test('cut a flood off without keeping it in memory', async ({ serve }) => {
      const door = recordingDoor()
      const { send } = await serve({ door })
      const memory = { before: process.memoryUsage().arrayBuffers, peak: 0 }
      async function* flood(): AsyncGenerator<Uint8Array> {
        const chunk = Buffer.alloc(65_536, 'x')
        for (let sent = 0; sent < 64_000_000; sent += chunk.length) {
          memory.peak = Math.max(memory.peak, process.memoryUsage().arrayBuffers)
          yield chunk
        }
      }

      expect((await send({ body: flood() })).status).toBe(413)
      expect(memory.peak - memory.before).toBeLessThan(20_000_000)
      expect(door.received).toEqual([])
    })

    test('end a body that does not finish in time', async ({ serve }) => {
      const door = recordingDoor()
      const { send } = await serve({ door, readSeconds: 0.05 })

      expect(await send({ body: stalled('{"id":') })).toMatchObject({ status: 408, body: '{"verdict":"too_slow"}' })
      expect(door.received).toEqual([])
    })

    test('leave a large body with its sender until there is room for it', async ({ serve }) => {
      const { door, first, release } = doorWithRoomForOne()
      const { send } = await serve({ door })

      const large = [send(bodyOf(100_000)), send(bodyOf(100_000))]
      await first
      const small = await send(bodyOf(1000))
      const receivedMeanwhile = door.received.map(({ delivery }) => delivery.body.byteLength)
      release()

      expect(small.status).toBe(202)
      expect(receivedMeanwhile).toEqual([100_000, 1000])
      expect((await Promise.all(large)).map(({ status }) => status)).toEqual([202, 202])
      expect(door.received).toHaveLength(3)
    })

    test('tell a body for which there is no room in time to come again', async ({ serve }) => {
      const { door, first, release } = doorWithRoomForOne()
      const { send } = await serve({ door, readSeconds: 0.05 })

      const taken = send(bodyOf(100_000))
      await first
      const answer = await send(bodyOf(100_000))
      release()

      expect(answer).toMatchObject({ status: 503, body: '{"verdict":"unavailable"}' })
      expect(answer.headers.get('retry-after')).toBe('5')
      expect((await taken).status).toBe(202)
      expect(door.received).toHaveLength(1)
      expect(door.refused).toMatchObject([{ refusal: { kind: 'unavailable', reason: 'busy' } }])
    })

    test('refuse a packed body unless the source asks for it', async ({ serve }) => {
      const door = recordingDoor()
      const { send } = await serve({ door })

      const answer = await send({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('{}') })

      expect(answer).toMatchObject({ status: 415, body: '{"verdict":"unsupported_encoding"}' })
      expect(door.received).toEqual([])
    })

    test('unpack a body for a source that asks for it', async ({ serve }) => {
      const door = recordingDoor({ settings: { decompress: 'bounded' } })
      const { send } = await serve({ door })

      await send({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('{"id":1}') })

      expect(bodyReceived(door)).toBe('{"id":1}')
    })

    test('hold for what a packed body unpacks to', async ({ serve }) => {
      const door = recordingDoor({ settings: { decompress: 'bounded' } })
      const { send } = await serve({ door })
      const bomb = brotliCompressSync(Buffer.alloc(8_000_000))

      expect((await send({ headers: { 'content-encoding': 'br' }, body: bomb })).status).toBe(413)
      expect((await send({ headers: { 'content-encoding': 'br' }, body: Buffer.from('broken') })).status).toBe(400)
      expect((await send({ headers: { 'content-encoding': 'br, br' }, body: bomb })).status).toBe(415)
      expect(door.received).toEqual([])
    })
  })
}

/** With its length, as every provider sends it. */
function bodyOf(bytes: number): RequestToSend {
  return { headers: { 'content-length': String(bytes) }, body: Buffer.alloc(bytes) }
}

/** There is room for one body of 100 KB, and the first delivery keeps it until it is released. */
function doorWithRoomForOne(): {
  readonly door: RecordingDoor
  readonly first: Promise<void>
  readonly release: () => void
} {
  const received = signal()
  const released = signal()
  let count = 0
  const receive = async (): Promise<Outcome> => {
    count += 1
    received.give()
    if (count === 1) await released.given
    return accepted
  }
  const door = { ...recordingDoor({ receive }), room: createBodyRoom(150_000) }
  return { door, first: received.given, release: released.give }
}
