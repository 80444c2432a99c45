import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Delivery } from '../../src/delivery/delivery.ts'
import { bitbucket } from '../../src/providers/bitbucket.ts'
import { buildkite } from '../../src/providers/buildkite.ts'
import { contentful } from '../../src/providers/contentful.ts'
import { forgejo } from '../../src/providers/forgejo.ts'
import { gitea } from '../../src/providers/gitea.ts'
import { gitlab } from '../../src/providers/gitlab.ts'
import { jira } from '../../src/providers/jira.ts'
import { linear } from '../../src/providers/linear.ts'
import { npmHooks } from '../../src/providers/npm-hooks.ts'
import { pagerduty } from '../../src/providers/pagerduty.ts'
import { sanity } from '../../src/providers/sanity.ts'
import { sentry } from '../../src/providers/sentry.ts'
import { supabaseAuthHooks } from '../../src/providers/supabase-auth-hooks.ts'
import { at, withValues } from './provider-case.ts'

const secret = 'a-secret-that-is-long-enough'
const otherSecret = 'another-secret-that-is-long-enough'
const signingToken = 'whsec_b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE='

describe('GitLab', () => {
  test('is not believed for a token when its hook has a signing token', () => {
    const headers = { 'x-gitlab-token': signingToken }

    expect(gitlab({ secret: signingToken }).verify({ headers }, at)).toMatchObject({ reason: 'signature_missing' })
  })

  test('is not believed for signature headers when its hook has a secret token', () => {
    const signed = gitlab({ secret: signingToken }).sign({}, at)

    expect(gitlab({ secret }).verify(signed, at)).toMatchObject({ reason: 'token_missing' })
  })

  test('may send the secret token too, which then proves nothing', () => {
    const source = gitlab({ secret: signingToken })
    const signed = withValues(source.sign({}, at), 'x-gitlab-token', ['anything'])

    expect(source.verify(signed, at).kind).toBe('authentic')
    expect(source.verify({ ...signed, body: '{}' }, at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('is told how it proves itself where the secret is looked up', () => {
    const signed = gitlab({ secret: signingToken }).sign({}, at)

    expect(gitlab({ secret: () => signingToken, proof: 'signature' }).verify(signed, at).kind).toBe('authentic')
    expect(gitlab({ secret: () => signingToken }).verify(signed, at)).toMatchObject({ reason: 'token_missing' })
  })

  test('says that only a signature covers the body and the id', () => {
    expect(gitlab({ secret }).facts).toMatchObject({ isBodySigned: false, isIdSigned: false })
    expect(gitlab({ secret: signingToken }).facts).toMatchObject({ isBodySigned: true, isIdSigned: true })
  })

  test('cannot be set up with a proof that it does not have', () => {
    expect(() => gitlab({ secret, proof: 'jwt' as 'token' })).toThrow(/"proof" must be/)
  })
})

describe.each([
  ['Gitea', gitea({ secret }), 'x-gitea-signature'],
  ['Forgejo', forgejo({ secret }), 'x-forgejo-signature'],
])('a form of %s', (_name, source, header) => {
  const json = source.sign({ payload: { ref: 'refs/heads/größe & more', repository: { id: 7 } } }, at)
  const asForm = (payload: Uint8Array): Delivery => ({
    ...withValues(json, 'content-type', ['application/x-www-form-urlencoded']),
    body: Buffer.from(new URLSearchParams({ payload: Buffer.from(payload).toString('utf8') }).toString()),
  })

  test('is signed by the JSON inside it', () => {
    expect(source.verify(asForm(json.body), at).kind).toBe('authentic')
    expect(source.identify(asForm(json.body))).toMatchObject([{ type: 'push', objectId: '7' }])
  })

  test('is forged when the JSON inside it was changed, or is not there', () => {
    const changed = Buffer.from(Buffer.from(json.body).toString('utf8').replace('"id":7', '"id":8'))

    expect(source.verify(asForm(changed), at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(source.verify({ ...asForm(json.body), body: Buffer.from('other=1') }, at).kind).toBe('forged')
  })

  test('is signed in the same way when it is made here', () => {
    const { body, headers } = asForm(json.body)

    const signed = source.sign({ body, headers: { 'content-type': headers.get('content-type')?.[0] ?? '' } }, at)

    expect(signed.headers.get(header)).toEqual(json.headers.get(header))
    expect(signed.body).toEqual(body)
  })

  test('is forged when the header is empty, as without a secret', () => {
    expect(source.verify(withValues(json, header, ['']), at)).toMatchObject({ reason: 'signature_missing' })
  })
})

describe('Forgejo', () => {
  const source = forgejo({ secret })
  const signed = source.sign({}, at)
  const right = signed.headers.get('x-forgejo-signature') ?? []

  test('is believed for the header of Gitea where its own is missing', () => {
    const older = withValues(withValues(signed, 'x-gitea-signature', right), 'x-forgejo-signature', [])

    expect(source.verify(older, at).kind).toBe('authentic')
  })

  test('is not rescued by the header of Gitea when its own is wrong', () => {
    const both = withValues(withValues(signed, 'x-gitea-signature', right), 'x-forgejo-signature', ['0'.repeat(64)])

    expect(source.verify(both, at)).toMatchObject({ reason: 'signature_mismatch' })
  })
})

describe('Linear', () => {
  const source = linear({ secret })
  const later = new Date(at.getTime() + 3_600_000)

  test('is not believed without a time in its body, whatever its header says', () => {
    const body = '{"type":"Issue","action":"create"}'
    const rightSignature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = { 'linear-signature': rightSignature, 'linear-timestamp': String(at.getTime()) }

    expect(source.verify({ headers, body }, at)).toMatchObject({ reason: 'timestamp_missing' })
  })

  test('is too old by the time in its body, however new its header is', () => {
    const signed = withValues(source.sign({}, at), 'linear-timestamp', [String(later.getTime())])

    expect(source.verify(signed, later)).toMatchObject({ reason: 'timestamp_outside_tolerance' })
  })

  test('has a new time when it is sent again', () => {
    const again = source.sign({ body: source.sign({}, at).body }, later)

    expect(source.verify(again, later).kind).toBe('authentic')
  })
})

describe('PagerDuty', () => {
  const source = pagerduty({ secret })
  const signed = source.sign({}, at)
  const [mine = ''] = signed.headers.get('x-pagerduty-signature') ?? []
  const [other = ''] =
    pagerduty({ secret: otherSecret }).sign({ body: signed.body }, at).headers.get('x-pagerduty-signature') ?? []

  test('is believed for any of several signatures, as while its secret is changed', () => {
    expect(source.verify(withValues(signed, 'x-pagerduty-signature', [`${other},${mine}`]), at).kind).toBe('authentic')
  })

  test('is not believed when one signature stands there twice, as in a header that was joined', () => {
    expect(source.verify(withValues(signed, 'x-pagerduty-signature', [`${mine},${mine}`]), at)).toMatchObject({
      reason: 'signature_malformed',
    })
  })
})

describe('Buildkite', () => {
  const withToken = buildkite({ secret, proof: 'token' }).sign({}, at)
  const withSignature = buildkite({ secret, proof: 'signature' }).sign({}, at)

  test('is believed for a token or a signature', () => {
    expect(buildkite({ secret }).verify(withToken, at).kind).toBe('authentic')
    expect(buildkite({ secret }).verify(withSignature, at).kind).toBe('authentic')
  })

  test('is judged by its signature alone where it has one', () => {
    const both = { ...withValues(withSignature, 'x-buildkite-token', [secret]), body: Buffer.from('{}') }

    expect(buildkite({ secret }).verify(both, at)).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('is believed in one way only when it is told so', () => {
    expect(buildkite({ secret, proof: 'signature' }).verify(withToken, at).kind).toBe('forged')
    expect(buildkite({ secret, proof: 'token' }).verify(withSignature, at).kind).toBe('forged')
    expect(() => buildkite({ secret, proof: 'both' as 'token' })).toThrow(/"proof" must be/)
  })
})

describe('Contentful', () => {
  test('is believed behind a proxy that shows another address', () => {
    const called = contentful({ secret }).sign({ url: 'https://hooks.example.com/contentful?space=a' }, at)
    const seen = { ...called, url: 'http://10.0.0.7:3000/in?space=a' }

    expect(contentful({ secret }).verify(seen, at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(contentful({ secret, publicUrl: 'https://hooks.example.com/contentful' }).verify(seen, at).kind).toBe(
      'authentic',
    )
  })
})

describe('Supabase', () => {
  const source = supabaseAuthHooks({ secret: `v1,${signingToken}` })
  const signed = source.sign({}, at)
  const [mine = ''] = signed.headers.get('webhook-signature') ?? []

  test('is believed for the first and the last of several signatures, with a comma and a space between', () => {
    const other = `v1,${Buffer.alloc(32, 1).toString('base64')}`

    for (const list of [`${mine}, ${other}`, `${other}, ${mine}`]) {
      expect(source.verify(withValues(signed, 'webhook-signature', [list]), at).kind).toBe('authentic')
    }
  })

  test.each([signingToken, signingToken.replace('whsec_', '')])('takes its secret as %s too', (written) => {
    expect(supabaseAuthHooks({ secret: written }).verify(signed, at).kind).toBe('authentic')
  })

  test('runs handlers before the answer, because a person waits, unless it is told otherwise', () => {
    expect(source.settings.mode).toBe('inline')
    expect(supabaseAuthHooks({ secret: signingToken, mode: 'queued' }).settings.mode).toBe('queued')
  })

  test('gets an empty JSON object where no handler answers', () => {
    expect(source.answer({}, 'duplicate')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  })
})

describe('the answer', () => {
  test('to Linear, Jira and npm is exactly 200', () => {
    for (const source of [linear({ secret }), jira({ secret }), npmHooks({ secret })]) {
      expect(source.answer({}, 'accepted')).toEqual({ status: 200 })
    }
  })

  test('to what is not believed asks those to send again who would drop it after a 401', () => {
    for (const create of [bitbucket, jira, sentry, contentful, sanity]) {
      expect(create({ secret }).refusalStatus).toEqual({ forged: 503 })
    }
  })

  test('to PagerDuty is never a 4xx, as three of them switch it off for a day', () => {
    expect(pagerduty({ secret }).refusalStatus).toEqual({ forged: 503, malformed: 503 })
  })
})
