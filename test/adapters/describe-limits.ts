import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { bodyReceived, recordingDoor } from './recording-door.ts'
import { chunks, type Serve, stalled, testWith } from './served.ts'

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
