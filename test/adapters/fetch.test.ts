import { describe, expect, test } from 'vitest'
import { createFetchHandler } from '../../src/adapters/fetch.ts'
import { describeAdapter } from './describe-adapter.ts'
import { recordingDoor } from './recording-door.ts'
import type { RequestToSend, Serve } from './served.ts'

const origin = 'https://example.test'

const serveFetch: Serve = async (options) => {
  const handle = createFetchHandler(options)
  return {
    origin,
    async send(request) {
      const response = await handle(toRequest(request))
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    close: async () => {},
  }
}

describeAdapter('the fetch handler', serveFetch)

describe('a Request whose body was read before', () => {
  test.for([
    ['as text', (request: Request) => request.text()],
    ['by a reader that still holds it', async (request: Request) => request.body?.getReader()],
  ] as const)('%s is answered 500, and the developer is told why', async ([, read]) => {
    const door = recordingDoor()
    const handle = createFetchHandler({ door, source: 'acme' })
    const request = toRequest({ body: Buffer.from('{}') })
    await read(request)

    const response = await handle(request)

    expect(response.status).toBe(500)
    expect(await response.text()).toBe('{"verdict":"error"}')
    expect(door.received).toEqual([])
    expect(door.errors).toMatchObject([
      { code: 'ONCEHOOK_BODY_ALREADY_PARSED', message: expect.stringContaining('request.clone()') },
    ])
  })

  test('is received when only a clone was read', async () => {
    const door = recordingDoor()
    const handle = createFetchHandler({ door, source: 'acme' })
    const request = toRequest({ body: Buffer.from('{}') })
    await request.clone().text()

    expect((await handle(request)).status).toBe(202)
  })
})

test('a body that is shorter than announced is malformed, and nothing is received', async () => {
  const door = recordingDoor()
  const handle = createFetchHandler({ door, source: 'acme' })

  const response = await handle(toRequest({ headers: { 'content-length': '5' }, body: Buffer.from('abc') }))

  expect(response.status).toBe(400)
  expect(door.received).toEqual([])
})

test('a body that breaks off is malformed, and nothing is received', async () => {
  const door = recordingDoor()
  const handle = createFetchHandler({ door, source: 'acme' })
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('abc')
    throw new Error('connection reset')
  }

  const response = await handle(toRequest({ body: broken() }))

  expect(response.status).toBe(400)
  expect(door.received).toEqual([])
  expect(door.errors).toEqual([])
})

test('an error listener of its own takes the place of the door', async () => {
  const door = recordingDoor({ receive: () => Promise.reject(new Error('down')) })
  const errors: unknown[] = []
  const handle = createFetchHandler({ door, source: 'acme', onError: (error) => void errors.push(error) })

  await handle(toRequest({ body: Buffer.from('{}') }))

  expect(errors).toHaveLength(1)
  expect(door.errors).toEqual([])
})

function toRequest({ method = 'POST', path = '/in/acme', headers = {}, body }: RequestToSend): Request {
  return new Request(`${origin}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: body instanceof Uint8Array ? body : toStream(body), duplex: 'half' }),
  })
}

function toStream(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
  })
}
