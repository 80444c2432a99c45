import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { box } from '../../src/providers/box.ts'
import { calCom } from '../../src/providers/cal-com.ts'
import { calendly } from '../../src/providers/calendly.ts'
import { docusignConnect } from '../../src/providers/docusign-connect.ts'
import { easypost } from '../../src/providers/easypost.ts'
import { hubspot } from '../../src/providers/hubspot.ts'
import { intercom } from '../../src/providers/intercom.ts'
import { notion } from '../../src/providers/notion.ts'
import { shippo } from '../../src/providers/shippo.ts'
import { typeform } from '../../src/providers/typeform.ts'
import { webflow } from '../../src/providers/webflow.ts'
import { zendesk } from '../../src/providers/zendesk.ts'
import { at, withValues } from './provider-case.ts'

const secret = 'a-secret-that-is-long-enough'

describe('the signature of HubSpot', () => {
  const source = hubspot({ secret })
  const url = 'https://a.example/in?back=https%3A%2F%2Fb.example%2Fx&name=Zo%C3%AB'

  test('may be over the address as it was called, or with some characters decoded as the documents say', () => {
    const raw = source.sign({ url }, at)
    const decoded = source.sign({ url: 'https://a.example/in?back=https://b.example/x&name=Zo%C3%AB' }, at)

    expect(source.verify(raw, at).kind).toBe('authentic')
    expect(source.verify({ ...decoded, url }, at).kind).toBe('authentic')
  })

  test('is wrong for another address, and for other characters decoded', () => {
    const other = source.sign({ url: url.replace('a.example', 'c.example') }, at)
    const tooMuch = source.sign({ url: decodeURIComponent(url) }, at)

    expect(source.verify({ ...other, url }, at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(source.verify({ ...tooMuch, url }, at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('follows the address that HubSpot calls, behind a proxy', () => {
    const proxied = hubspot({ secret, publicUrl: 'https://a.example' })
    const delivery = source.sign({ url: 'https://a.example/in' }, at)

    expect(proxied.verify({ ...delivery, url: 'http://10.0.0.1:3000/in' }, at).kind).toBe('authentic')
  })

  test('is not believed in its first two versions', () => {
    const delivery = source.sign({}, at)
    const hash = createHash('sha256').update(secret).update(delivery.body).digest('hex')
    const headers = { 'x-hubspot-signature': hash, 'x-hubspot-signature-version': 'v1' }

    expect(source.verify({ ...delivery, headers }, at)).toEqual({ kind: 'forged', reason: 'signature_missing' })
  })
})

describe('the signature of DocuSign', () => {
  const source = docusignConnect({ secret })
  const signed = source.sign({}, at)
  const right = signed.headers.get('x-docusign-signature-1') ?? []
  const others = new Map(
    Array.from({ length: 99 }, (_, index) => [
      `x-docusign-signature-${index + 1}`,
      [Buffer.alloc(32, index).toString('base64')],
    ]),
  )

  test('may be that of any key of the account, up to the hundredth', () => {
    const headers = new Map([...others, ['x-docusign-signature-100', right]])

    expect(source.verify({ ...signed, headers }, at).kind).toBe('authentic')
  })

  test('is none if no key of the account made it', () => {
    expect(source.verify({ ...signed, headers: others }, at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('is not looked for beyond the hundredth', () => {
    const headers = { 'x-docusign-signature-101': right, 'x-docusign-signature-0': right }

    expect(source.verify({ ...signed, headers }, at)).toMatchObject({ reason: 'signature_missing' })
  })
})

describe('the signature of Box', () => {
  const primary = 'the-primary-key-of-the-app-0123456'
  const secondary = 'the-secondary-key-of-the-app-01234'
  const source = box({ secret: [primary, secondary] })

  test('may be made with the secondary key while the primary one is replaced', () => {
    const made = box({ secret: secondary }).sign({}, at)
    const signature = made.headers.get('box-signature-primary') ?? []
    const delivery = withValues(withValues(made, 'box-signature-primary', []), 'box-signature-secondary', signature)

    expect(source.verify(delivery, at)).toEqual({ kind: 'authentic', secretIndex: 1 })
  })

  test.each(['box-signature-version', 'box-signature-algorithm'])('is refused with another %s', (header) => {
    const delivery = source.sign({}, at)

    for (const values of [['2'], [''], []]) {
      expect(source.verify(withValues(delivery, header, values), at)).toMatchObject({ reason: 'signature_malformed' })
    }
  })
})

describe('the signature of Cal.com', () => {
  test('is refused where the webhook has no secret', () => {
    const source = calCom({ secret })
    const unsigned = withValues(source.sign({}, at), 'x-cal-signature-256', ['no-secret-provided'])

    expect(source.verify(unsigned, at)).toEqual({ kind: 'forged', reason: 'signature_malformed' })
  })
})

describe('the signature of Notion', () => {
  test('may be written in upper case, as its own library takes it', () => {
    const source = notion({ secret })
    const delivery = source.sign({}, at)
    const [signature = ''] = delivery.headers.get('x-notion-signature') ?? []
    const shouted = withValues(delivery, 'x-notion-signature', [`sha256=${signature.slice(7).toUpperCase()}`])

    expect(source.verify(shouted, at).kind).toBe('authentic')
  })
})

describe('the secret of EasyPost', () => {
  test('means the same however its accents were typed', () => {
    const [composed, decomposed] = ['s\u00e9cret-of-sixteen', 's\u0065\u0301cret-of-sixteen']
    const delivery = easypost({ secret: composed }).sign({}, at)

    expect(easypost({ secret: decomposed }).verify(delivery, at).kind).toBe('authentic')
  })

  test('signs the raw bytes, also where a weight is a whole number', () => {
    const source = easypost({ secret })
    const body = '{"id":"evt_1","description":"tracker.updated","result":{"weight":5,"id":"trk_1"}}'

    expect(source.verify(source.sign({ body }, at), at).kind).toBe('authentic')
  })
})

describe('the greeting of Notion', () => {
  const greeting = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"}',
  }

  test('hands the token to the user, and answers 200', async () => {
    const tokens: string[] = []
    const source = notion({ secret: () => undefined, onVerificationToken: (token) => void tokens.push(token) })

    const answer = await source.handshake(greeting, 'before_verification')

    expect(answer).toEqual({ status: 200 })
    expect(tokens).toEqual(['secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl'])
  })

  test('says what to do if nobody takes the token, without the token', async () => {
    const answer = await notion({ secret }).handshake(greeting, 'before_verification')

    expect(answer).toMatchObject({ kind: 'malformed', detail: expect.stringContaining('onVerificationToken') })
    expect(JSON.stringify(answer)).not.toContain('secret_')
  })

  test('fails if the user could not take the token, so that it can be sent again', async () => {
    const onVerificationToken = () => Promise.reject(new Error('no'))

    expect(await notion({ secret, onVerificationToken }).handshake(greeting, 'before_verification')).toMatchObject({
      kind: 'malformed',
    })
  })

  test.each([
    '{"id":"1","type":"page.created","verification_token":"secret_x"}',
    '{"verification_token":""}',
    '{"verification_token":7}',
    `{"verification_token":"${'x'.repeat(1024)}"}`,
    '{}',
    'nonsense',
  ])('is not %s', (body) => {
    const onVerificationToken = () => expect.unreachable('There is no token to take.')

    expect(notion({ secret, onVerificationToken }).handshake({ body }, 'before_verification')).toBeUndefined()
  })

  test('cannot be set up with what is no function', () => {
    const options = { secret, onVerificationToken: 'log' } as unknown as Parameters<typeof notion>[0]

    expect(() => notion(options)).toThrow(/"onVerificationToken" must be a function/)
  })
})

describe('the greeting', () => {
  test('of Intercom is a signed ping, which may have no id', () => {
    const ping = { body: '{"type":"notification_event","topic":"ping","id":null,"data":{"item":{"type":"ping"}}}' }

    expect(intercom({ secret }).handshake(ping, 'before_verification')).toBeUndefined()
    expect(intercom({ secret }).handshake(ping, 'after_verification')).toEqual({ status: 200 })
    expect(
      intercom({ secret }).handshake({ body: '{"topic":"contact.deleted"}' }, 'after_verification'),
    ).toBeUndefined()
  })

  test('of HubSpot is a batch without events', () => {
    expect(hubspot({ secret }).handshake({ body: '[]' }, 'after_verification')).toEqual({ status: 200 })
  })
})

describe('the answer', () => {
  test('to Webflow is exactly 200', () => {
    for (const situation of ['accepted', 'processed', 'duplicate', 'ignored'] as const) {
      expect(webflow({ secret }).answer({}, situation)).toEqual({ status: 200 })
    }
  })

  test.each([
    ['Typeform', typeform],
    ['Shippo', shippo],
    ['Zendesk', zendesk],
  ] as const)('to what %s seems to have forged makes it try again, should our secret be wrong', (_name, create) => {
    expect(create({ secret }).refusalStatus).toEqual({ forged: 503 })
  })

  test.each([
    ['HubSpot', hubspot],
    ['Calendly', calendly],
    ['Box', box],
  ] as const)('to what %s seems to have forged is ours, as it tries again after any error', (_name, create) => {
    expect(create({ secret }).refusalStatus).toEqual({})
  })
})
