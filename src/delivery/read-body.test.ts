import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { type BodyRead, checkBody, type ReadLimits, readNodeBody, readWebBody } from './read-body.ts'

const limits: ReadLimits = { limitBytes: 10, readSeconds: 5, announcedLength: undefined }

/** Both kinds of stream, fed with the same chunks, so that each promise is tested on either. */
const readers: readonly [string, (chunks: Iterable<Uint8Array>, limits: ReadLimits) => Promise<BodyRead>][] = [
  ['a web stream', (chunks, limits) => readWebBody(webStreamOf(chunks), limits)],
  ['a Node stream', (chunks, limits) => readNodeBody(Readable.from(chunks, { objectMode: false }), limits)],
]

describe.each(readers)('%s', (_, read) => {
  test('gives its exact bytes, joined', async () => {
    const chunks = [Buffer.from([0, 255]), Buffer.from([0xc3, 0x28]), Buffer.from([0])]

    expect(bytesOf(await read(chunks, limits))).toEqual([0, 255, 0xc3, 0x28, 0])
  })

  test('may be empty', async () => {
    expect(bytesOf(await read([], limits))).toEqual([])
  })

  test('may be as long as the limit', async () => {
    expect(bytesOf(await read([Buffer.alloc(10, 1)], limits))).toHaveLength(10)
  })

  test('is cut where it passes the limit, and asked for no more', async () => {
    let taken = 0
    function* endless(): Generator<Uint8Array> {
      for (;;) {
        taken += 1
        yield Buffer.alloc(6)
      }
    }

    expect(await read(endless(), limits)).toEqual({ kind: 'too_large', limitBytes: 10 })
    expect(taken).toBeLessThan(10_000)
  })

  test('is refused by its announced length before a byte is read', async () => {
    function* untouched(): Generator<Uint8Array> {
      yield Buffer.from('x')
      throw new Error('was read')
    }

    expect(await read(untouched(), { ...limits, announcedLength: '11' })).toEqual({ kind: 'too_large', limitBytes: 10 })
  })

  test('is malformed when it ends before its announced length', async () => {
    const result = await read([Buffer.from('abc')], { ...limits, announcedLength: '4' })

    expect(result).toEqual({ kind: 'malformed', detail: 'The body ended before its announced length.' })
  })

  test.each(['-1', '1e3', '4, 4', '', '0x4', '9'.repeat(30)])(
    'is malformed when its length is "%s"',
    async (length) => {
      expect(await read([Buffer.from('abcd')], { ...limits, announcedLength: length })).toMatchObject({
        kind: 'malformed',
      })
    },
  )

  test('is malformed when it breaks off with an error', async () => {
    function* broken(): Generator<Uint8Array> {
      yield Buffer.from('abc')
      throw new Error('reset')
    }

    expect(await read(broken(), limits)).toMatchObject({ kind: 'malformed' })
  })

  test('is joined correctly from very many tiny chunks', async () => {
    const chunks = Array.from({ length: 1000 }, (_, index) => Buffer.from([index % 251]))

    const result = await read(chunks, { ...limits, limitBytes: 1000 })

    expect(bytesOf(result)).toEqual(chunks.map((chunk) => chunk[0]))
  })
})

test('a web stream that stalls is too slow, and is let go', async () => {
  let isCancelled = false
  const stalled = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('abc')),
    cancel: () => {
      isCancelled = true
    },
  })

  expect(await readWebBody(stalled, { ...limits, readSeconds: 0.02 })).toEqual({ kind: 'too_slow' })
  expect(isCancelled).toBe(true)
})

test('a Node stream that stalls is too slow, and stays open for the answer', async () => {
  const stalled = new PassThrough()
  stalled.write('abc')

  expect(await readNodeBody(stalled, { ...limits, readSeconds: 0.02 })).toEqual({ kind: 'too_slow' })
  expect(stalled.destroyed).toBe(false)
})

test('a Node stream that is destroyed without an error is malformed', async () => {
  const stream = new PassThrough()
  stream.write('abc')

  const reading = readNodeBody(stream, limits)
  stream.destroy()

  expect(await reading).toMatchObject({ kind: 'malformed' })
})

test('a Node stream that was destroyed before is malformed', async () => {
  const gone = new PassThrough()
  gone.destroy()

  expect(await readNodeBody(gone, limits)).toMatchObject({ kind: 'malformed' })
})

test('a Node stream that fails after it was refused does not end the process', async () => {
  const stream = new PassThrough()
  stream.write(Buffer.alloc(11))
  await readNodeBody(stream, limits)

  stream.destroy(new Error('reset'))

  await expect(new Promise((resolve) => stream.on('close', () => resolve('closed')))).resolves.toBe('closed')
})

test('a body of one chunk is not copied', async () => {
  const chunk = Buffer.from('abc')

  const result = await readWebBody(webStreamOf([chunk]), limits)

  expect(result.kind === 'complete' && result.body).toBe(chunk)
})

test('no stream is an empty body', async () => {
  expect(bytesOf(await readWebBody(null, limits))).toEqual([])
})

test('a body that was read elsewhere is held to the same limit', () => {
  expect(checkBody(Buffer.alloc(10), 10).kind).toBe('complete')
  expect(checkBody(Buffer.alloc(11), 10)).toEqual({ kind: 'too_large', limitBytes: 10 })
})

function webStreamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const next = iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

function bytesOf(read: BodyRead): number[] {
  if (read.kind !== 'complete') throw new Error(`The body was ${read.kind}.`)
  return [...read.body]
}
