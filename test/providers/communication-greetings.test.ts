import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { zoom } from '../../src/providers/zoom.ts'
import { at } from './provider-case.ts'

const secret = 'a-secret-that-is-long-enough'
const otherSecret = 'another-secret-that-is-long-enough'

describe('the validation of an address by Zoom', () => {
  const validation = {
    event: 'endpoint.url_validation',
    payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' },
    event_ts: 1,
  }
  const delivery = { body: JSON.stringify(validation) }
  const proofWith = (key: string) => createHmac('sha256', key).update('qgg8vlvZRS6UYooatFL8Aw').digest('hex')

  test('is answered with the token and its HMAC', async () => {
    expect(await zoom({ secret }).handshake(delivery, 'after_verification')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ plainToken: 'qgg8vlvZRS6UYooatFL8Aw', encryptedToken: proofWith(secret) }),
    })
  })

  test('is not answered before it is verified, or anybody could have any text signed', () => {
    expect(zoom({ secret }).handshake(delivery, 'before_verification')).toBeUndefined()
  })

  test('is answered with the secret that signed it, while two are live', async () => {
    const source = zoom({ secret: [otherSecret, secret] })
    const signed = zoom({ secret }).sign({ body: delivery.body }, at)
    const secrets = await source.secretsFor(signed)
    const verdict = source.verify(signed, at, secrets)
    const signedWith = secrets[verdict.kind === 'authentic' ? verdict.secretIndex : -1]

    expect(await source.handshake(signed, 'after_verification', [signedWith])).toMatchObject({
      body: expect.stringContaining(proofWith(secret)),
    })
  })

  test('is answered with a secret that is looked up', async () => {
    const source = zoom({ secret: () => Promise.resolve(secret) })

    expect(await source.handshake(delivery, 'after_verification')).toMatchObject({
      body: expect.stringContaining(proofWith(secret)),
    })
  })

  test('is malformed without a token, and without a secret', async () => {
    const empty = { body: '{"event":"endpoint.url_validation","payload":{}}' }

    expect(await zoom({ secret }).handshake(empty, 'after_verification')).toMatchObject({ kind: 'malformed' })
    expect(await zoom({ unverified: true }).handshake(delivery, 'after_verification')).toMatchObject({
      kind: 'malformed',
    })
  })

  test('does not get in the way of an event, nor asks for a secret', () => {
    const lookUp = () => {
      throw new Error('asked')
    }

    expect(zoom({ secret: lookUp }).handshake({ body: '{"event":"meeting.started"}' }, 'after_verification')).toBe(
      undefined,
    )
  })
})
