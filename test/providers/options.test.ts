import { describe, expect, test } from 'vitest'
import { github } from '../../src/providers/github.ts'
import { hmac as genericHmac } from '../../src/providers/hmac.ts'
import { standardWebhooks } from '../../src/providers/standard-webhooks.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { telegram } from '../../src/providers/telegram.ts'
import { hmac } from '../../src/verify/algorithms/hmac.ts'
import { defineProvider } from '../../src/verify/define-provider.ts'
import { fieldsDigest } from '../../src/verify/derived-identity.ts'
import { field } from '../../src/verify/object.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'
import { signature } from '../../src/verify/schemes/signature.ts'
import { plain } from '../../src/verify/schemes/signature-format.ts'

const at = new Date('2026-11-15T12:00:00.000Z')
const secret = 'a-secret-that-is-long-enough'

describe('an id in a header', () => {
  const options = { secret, header: 'x-signature', id: { header: 'X-Event-Id' } }

  test('is signed only where the template of hmac holds that very header', () => {
    const signed = genericHmac({ ...options, template: '{id}.{body}', idHeader: 'x-event-id' })
    const other = genericHmac({ ...options, template: '{id}.{body}', idHeader: 'x-other-id' })

    expect([signed, other, genericHmac(options)].map(({ facts }) => facts.isIdSigned)).toEqual([true, false, false])
  })
})

describe('a place in the body', () => {
  test('is found by hmac as it is in the whole document, beside a digest too', () => {
    const options = { secret, header: 'x-signature', type: { body: 'kind' }, objectId: { body: 'parcels.1.id' } }
    const body = '{"kind":"sent","event":{"id":12345678901234567890},"parcels":[{"id":1},{"id":2}],"kind":"lost"}'
    const id = { body: 'event.id' }

    const found = [genericHmac({ ...options, id }), genericHmac({ ...options, id, identity: () => ({}) })]
    const digested = genericHmac({ ...options, id: fieldsDigest(['event.id', 'parcels']) })

    for (const source of found) {
      expect(source.identify({ body })).toEqual([{ id: '12345678901234567890', type: 'lost', objectId: '2' }])
    }
    expect(digested.identify({ body })).toMatchObject([{ type: 'lost', objectId: '2' }])
  })
})

describe("a provider of one's own", () => {
  const acme = defineProvider({
    name: 'acme',
    scheme: signature({
      header: 'x-acme-signature',
      format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'sha256=' }),
    }),
    identify: ({ headers, document }) => ({ id: headers.get('x-acme-delivery'), type: field(document, 'type') }),
  })

  test('verifies and identifies what it signs', () => {
    const source = acme({ secret })
    const delivery = source.sign({ type: 'a', headers: { 'X-Acme-Delivery': 'd1' } }, at)

    expect(source.verify(delivery, at).kind).toBe('authentic')
    expect(source.identify(delivery)).toEqual([{ id: 'd1', type: 'a' }])
  })

  test('has facts, of which nobody knows most', () => {
    expect(acme({ secret }).facts).toMatchObject({
      title: 'acme',
      retryHours: undefined,
      isIdSigned: false,
      maximumBodyBytes: 1048576,
    })
  })
})

describe('the options of a source', () => {
  const mistakesOf = (options: unknown) => {
    try {
      stripe(options as ProviderOptions)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  test('are all checked at once, each mistake with its name', () => {
    const message = mistakesOf({
      secret: '',
      mode: 'later',
      types: [],
      keepDays: 0,
      publicUrl: '/in',
      maximumBodyBytes: 1.5,
      decompress: true,
      toleranceSeconds: Number.NaN,
      whenInlineFails: 'no',
      identity: 'id',
      secrets: 'x',
    })

    for (const name of [
      'secret',
      'mode',
      'types',
      'keepDays',
      'publicUrl',
      'maximumBodyBytes',
      'decompress',
      'toleranceSeconds',
      'whenInlineFails',
      'identity',
      'secrets',
    ]) {
      expect(message).toContain(`"${name}"`)
    }
  })

  test('may be left out without a crash, and then the secret is missing', () => {
    expect(mistakesOf(undefined)).toContain('"secret" is missing')
  })

  test('must remember events for twice as long as they can be sent again', () => {
    expect(mistakesOf({ secret, keepDays: 59 })).toContain('at least 60')
    expect(mistakesOf({ secret, keepDays: 60 })).toBe('')
    expect(() => github({ secret, keepDays: 0.5 })).toThrow(/at least 1/)
  })

  test('must not keep bodies for longer than their receipts', () => {
    expect(mistakesOf({ secret, keepBodyDays: 60 })).toBe('')
    expect(mistakesOf({ secret, keepBodyDays: 61 })).toContain('receipts are kept for 60 days')
    expect(mistakesOf({ secret, keepDays: 90, keepBodyDays: 61 })).toBe('')
    expect(mistakesOf({ secret, keepBodyDays: 0 })).toContain('"keepBodyDays" must be')
  })

  test('cannot set a tolerance where no timestamp is signed', () => {
    expect(() => github({ secret, toleranceSeconds: 10 })).toThrow(/no effect/)
  })

  test('cannot be unverified and have a secret', () => {
    expect(mistakesOf({ secret, unverified: true })).toContain('"unverified"')
  })

  test('never show the secret in a mistake', () => {
    const wrong = 'whsec_not base64 but very secret'

    expect(() => standardWebhooks({ secret: wrong })).toThrow(/"secret" is not base64/)
    expect(() => standardWebhooks({ secret: wrong })).not.toThrow(/very secret/)
  })

  test('may hold a short secret, with a warning', () => {
    expect(telegram({ secret: 'short' }).warnings).toEqual([expect.stringContaining('fewer than 16 bytes')])
    expect(telegram({ secret }).warnings).toEqual([])
  })
})

describe('secrets that are looked up per delivery', () => {
  const delivery = (tenantSecret: string) => github({ secret: tenantSecret }).sign({ headers: { 'x-tenant': 'a' } }, at)

  test('are found at once where the look-up is synchronous', () => {
    const source = github({
      secret: ({ headers }) => (headers.get('x-tenant')?.[0] === 'a' ? [`old-${secret}`, secret] : undefined),
    })

    expect(source.verify(delivery(secret), at)).toEqual({ kind: 'authentic', secretIndex: 1 })
  })

  test('are handed to the verification where the look-up takes time', async () => {
    const source = github({ secret: async () => secret })
    const signed = delivery(secret)

    const secrets = await source.secretsFor(signed)

    expect(source.verify(signed, at, secrets)).toEqual({ kind: 'authentic', secretIndex: 0 })
    expect(source.verify(signed, at)).toMatchObject({
      reason: 'secret_unknown',
      hint: expect.stringContaining('await'),
    })
  })

  test.each([undefined, '', []])('make a delivery a forgery when they are %j', (found) => {
    const source = github({ secret: () => found })

    expect(source.verify(delivery(secret), at)).toMatchObject({ kind: 'forged', reason: 'secret_unknown' })
  })

  test('fail loudly when what was found is no secret', () => {
    const source = github({ secret: () => 'undefined' })

    expect(() => source.secretsFor({})).toThrow(/is the word "undefined"/)
    expect(source.verify(delivery('undefined-but-long-enough'), at).kind).toBe('malformed')
  })

  test('are asked for only when the delivery looks right from the outside', () => {
    let asked = 0
    const source = github({
      secret: () => {
        asked += 1
        return secret
      },
    })

    source.verify({ body: '{}' }, at)

    expect(asked).toBe(0)
  })

  test('make a look-up that fails a failure of the look-up, not of the process', async () => {
    const source = github({ secret: () => Promise.reject(new Error('down')) })

    expect(source.verify(delivery(secret), at)).toMatchObject({ reason: 'secret_unknown' })
    await expect(source.secretsFor({})).rejects.toThrow('down')
  })
})

describe('an event to sign', () => {
  const source = stripe({ secret })
  const bodyOf = (event: Parameters<typeof source.sign>[0]) => Buffer.from(source.sign(event, at).body).toString('utf8')

  test('has its id and type where the provider carries them', () => {
    expect(JSON.parse(bodyOf({ id: 'evt_1', type: 'a.b' }))).toMatchObject({
      id: 'evt_1',
      type: 'a.b',
      object: 'event',
    })
    expect(JSON.parse(bodyOf({ payload: { id: 'evt_2' } }))).toMatchObject({ id: 'evt_2', type: 'invoice.paid' })
    expect(github({ secret }).identify(github({ secret }).sign({ id: '7:guid', type: 'push' }, at))).toMatchObject([
      { id: '7:guid', type: 'push' },
    ])
  })

  test('has exactly the body that was given', () => {
    expect(bodyOf({ body: ' { } ' })).toBe(' { } ')
    expect(bodyOf({ payload: [1, 2] })).toBe('[1,2]')
  })
})

describe('a delivery that nobody would send', () => {
  test.each([null, undefined, 1, 'text', { headers: null }, { body: 1 }, { headers: [[1, 2]] }])(
    'gets a verdict: %j',
    (delivery) => {
      const source = stripe({ secret })
      const odd = delivery as unknown as Parameters<typeof source.verify>[0]

      expect(['forged', 'malformed']).toContain(source.verify(odd, at).kind)
      expect(source.identify(odd)).toMatchObject({ kind: 'malformed' })
      expect(source.handshake(odd, 'after_verification')).toBeUndefined()
    },
  )
})
