import { describe, expect } from 'vitest'
import { describeLimits } from './describe-limits.ts'
import { bodyReceived, recordingDoor } from './recording-door.ts'
import { chunks, type Serve, testWith } from './served.ts'

/** What every adapter promises: the same request has the same effect and the same answer through each of them. */
export function describeAdapter(
  name: string,
  serveAdapter: Serve,
  /** `path`: there is no other way to name one. */
  sourceBy: 'option' | 'path' = 'option',
): void {
  const test = testWith(serveAdapter)

  describe(`a request through ${name}`, () => {
    test('arrives byte for byte, with its method, URL and headers', async ({ serve }) => {
      const door = recordingDoor()
      const { send, origin } = await serve({ door })
      const body = Buffer.from([0, 0xff, 0xfe, 0xc3, 0x28, 13, 10, 0xef, 0xbb, 0xbf, 0xed, 0xa0, 0x80, 0])

      const answer = await send({ path: '/in/acme?a=%41&b', headers: { 'X-Acme-Signature': 'v1=abc' }, body })

      expect(answer.status).toBe(202)
      const [only] = door.received
      expect(door.received).toHaveLength(1)
      expect(only?.source).toBe('acme')
      expect(only?.delivery.method).toBe('POST')
      expect(only?.delivery.url).toBe(`${origin}/in/acme?a=%41&b`)
      expect(only?.delivery.headers.get('x-acme-signature')).toEqual(['v1=abc'])
      expect([...(only?.delivery.body ?? [])]).toEqual([...body])
    })

    test('arrives in one piece when it was sent in many', async ({ serve }) => {
      const door = recordingDoor()
      const { send } = await serve({ door })

      await send({ body: chunks('one ', 'two ', 'three') })

      expect(bodyReceived(door)).toBe('one two three')
    })

    test('may be empty', async ({ serve }) => {
      const door = recordingDoor()
      const { send } = await serve({ door })

      await send({})

      expect(bodyReceived(door)).toBe('')
    })

    test('is answered as the door says', async ({ serve }) => {
      const answer = { status: 203, headers: { 'Content-Type': 'text/xml', 'x-note': 'yes' }, body: '<R\u00e9ponse/>' }
      const { send } = await serve({ door: recordingDoor({ answer: () => answer }) })

      const seen = await send({ body: Buffer.from('{}') })

      expect(seen.status).toBe(203)
      expect(seen.headers.get('content-type')).toBe('text/xml')
      expect(seen.headers.get('x-note')).toBe('yes')
      expect(seen.body).toBe('<R\u00e9ponse/>')
    })

    test('may be answered without a body', async ({ serve }) => {
      const { send } = await serve({ door: recordingDoor({ answer: () => ({ status: 204, body: 'left out' }) }) })

      expect(await send({ body: Buffer.from('{}') })).toMatchObject({ status: 204, body: '' })
    })

    test('is told nothing about a signature that does not match', async ({ serve }) => {
      const door = recordingDoor({ receive: async () => ({ kind: 'forged', reason: 'signature_mismatch', hint: 'x' }) })
      const { send } = await serve({ door })

      expect(await send({ body: Buffer.from('{}') })).toMatchObject({ status: 401, body: '{"verdict":"forged"}' })
    })

    if (sourceBy === 'option') {
      test.runIf(sourceBy === 'option')(
        'goes to the source that the handler is for, whatever the path',
        async ({ serve }) => {
          const door = recordingDoor()
          const { send } = await serve({ door, source: 'acme' })

          expect((await send({ path: '/in/other', body: Buffer.from('{}') })).status).toBe(202)
          expect(door.received[0]?.source).toBe('acme')
        },
      )
    }

    test.for([
      '/in/other',
      '/',
      '/in/%',
      '/in/%zz',
      '/in/%E0%A4%A',
      '/in/%00',
      '/in/acme%2f..',
      '/in/constructor',
      '/in/__proto__',
    ])('to %s is for an unknown source', async (path, { serve }) => {
      const door = recordingDoor()
      const { send } = await serve({ door })

      expect(await send({ path, body: Buffer.from('{}') })).toMatchObject({
        status: 404,
        body: '{"verdict":"unknown_source"}',
      })
      expect(door.received).toEqual([])
      expect(door.errors).toEqual([])
    })

    test.for(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])(
      'with %s is told which method is right',
      async (method, { serve }) => {
        const door = recordingDoor()
        const { send } = await serve({ door })

        const answer = await send({ method })

        expect(answer.status).toBe(405)
        expect(answer.headers.get('allow')).toBe('POST')
        expect(door.received).toEqual([])
        expect(door.refused).toEqual([{ source: 'acme', refusal: { kind: 'method_not_allowed', allowed: ['POST'] } }])
      },
    )

    test('with GET is received where the source has handshakes of that kind', async ({ serve }) => {
      const door = recordingDoor({ settings: { methods: ['GET', 'POST'] } })
      const { send } = await serve({ door })

      expect((await send({ method: 'GET', path: '/in/acme?hub.challenge=1' })).status).toBe(202)
      expect(door.received[0]?.delivery.method).toBe('GET')
    })
  })

  describeLimits(name, serveAdapter)

  describe(`a failure behind ${name}`, () => {
    test('is answered 500, reported, and does not disturb the next request', async ({ serve }) => {
      const failure = new Error('the password is hunter2')
      const outcomes = [() => Promise.reject(failure), async () => ({ kind: 'too_slow' }) as const]
      const door = recordingDoor({ receive: () => outcomes.shift()?.() ?? Promise.reject(failure) })
      const { send } = await serve({ door })

      expect(await send({ body: Buffer.from('{}') })).toMatchObject({ status: 500, body: '{"verdict":"error"}' })
      expect(door.errors).toEqual([failure])
      expect((await send({ body: Buffer.from('{}') })).status).toBe(408)
    })

    test('of its log changes no answer', async ({ serve }) => {
      const complain = () => {
        throw new Error('the log is full')
      }
      const door = { ...recordingDoor(), onRefused: complain, onError: complain }
      const { send } = await serve({ door })

      expect((await send({ method: 'PUT' })).status).toBe(405)
      expect((await send({ body: Buffer.from('{}') })).status).toBe(202)
    })

    test('to choose an answer leaves a recorded event acknowledged', async ({ serve }) => {
      const failure = new Error('no answer')
      const door = recordingDoor({
        answer: () => {
          throw failure
        },
      })
      const { send } = await serve({ door })

      expect((await send({ body: Buffer.from('{}') })).status).toBe(202)
      expect(door.errors).toEqual([failure])
    })

    test('in the form of an answer that HTTP does not allow is replaced by the usual one', async ({ serve }) => {
      const answer = { status: 99, headers: { 'x-note': 'a\r\nb' } }
      const door = recordingDoor({
        receive: async () => ({ kind: 'processed', receiptId: '7', eventId: 'evt_7', answer }),
      })
      const { send } = await serve({ door })

      expect(await send({ body: Buffer.from('{}') })).toMatchObject({
        status: 200,
        body: '{"verdict":"processed","receipt":"7"}',
      })
      expect(door.errors).toMatchObject([{ code: 'ONCEHOOK_INVALID_OPTIONS' }])
    })
  })
}
