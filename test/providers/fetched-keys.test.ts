import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createInbox } from '../../src/index.ts'
import { awsSns } from '../../src/providers/aws-sns.ts'
import { googlePubsubPush } from '../../src/providers/google-pubsub-push.ts'
import { plaid } from '../../src/providers/plaid.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { FetchText } from '../../src/verify/fetched-keys.ts'
import { test as databaseTest } from '../support/database.ts'
import { judge, keyServer, pem } from './key-server.ts'

const at = new Date()
const rsaPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ecPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })

describe('Google', () => {
  const serviceAccount = 'pusher@acme.iam.gserviceaccount.com'
  const keyId = '7d680d8c70d44e947133cbd499ebc1a61c3d5abc'
  const keys = { publicKey: pem(rsaPair.publicKey), privateKey: pem(rsaPair.privateKey) }
  const delivery = googlePubsubPush({ serviceAccount, ...keys }).sign({}, at)
  const jwk = rsaPair.publicKey.export({ format: 'jwk' })
  const otherJwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
  const judgeWith = (keySet: readonly object[]) => {
    const { asked, fetchText } = keyServer(() => JSON.stringify({ keys: keySet }))
    return judge(googlePubsubPush({ serviceAccount, fetchText }), delivery, at).then((verdict) => ({ verdict, asked }))
  }

  test('is asked for its keys, and the one that the token names is used', async () => {
    const { verdict, asked } = await judgeWith([
      { ...otherJwk, kid: 'other' },
      { ...jwk, kid: keyId },
    ])

    expect(verdict).toEqual({ kind: 'authentic', secretIndex: 0 })
    expect(asked.map(({ address }) => address)).toEqual(['https://www.googleapis.com/oauth2/v3/certs'])
  })

  test('is not believed under the name of a key that it does not publish, or with another key of that name', async () => {
    expect((await judgeWith([{ ...jwk, kid: 'other' }])).verdict).toMatchObject({ reason: 'secret_unknown' })
    expect((await judgeWith([{ ...otherJwk, kid: keyId }])).verdict).toMatchObject({ reason: 'signature_mismatch' })
  })

  test('is not believed when what came instead of its keys holds none', async () => {
    await expect(judgeWith([])).rejects.toThrow('no keys came')
  })

  test('has to be restricted to an account of one’s own', () => {
    expect(() => googlePubsubPush({})).toThrow(/"serviceAccount" is missing/)
  })
})

describe('Plaid', () => {
  const keyId = 'bfbd5111-8e33-4643-8ced-b2e642a72f3c'
  const credentials = { clientId: 'client-1', secret: 'secret-1', environment: 'sandbox' } as const
  const delivery = plaid({ publicKey: pem(ecPair.publicKey), privateKey: pem(ecPair.privateKey) }).sign({}, at)
  const key = { ...ecPair.publicKey.export({ format: 'jwk' }), alg: 'ES256', kid: keyId, use: 'sig', expired_at: null }
  const judgeWith = (answer: object) => {
    const { asked, fetchText } = keyServer(() => JSON.stringify(answer))
    return judge(plaid({ credentials, fetchText }), delivery, at).then((verdict) => ({ verdict, asked }))
  }

  test('is asked with the credentials for the key that the token names', async () => {
    const { verdict, asked } = await judgeWith({ key, request_id: 'r1' })

    expect(verdict).toEqual({ kind: 'authentic', secretIndex: 0 })
    expect(asked).toEqual([
      {
        address: 'https://sandbox.plaid.com/webhook_verification_key/get',
        body: JSON.stringify({ client_id: 'client-1', secret: 'secret-1', key_id: keyId }),
      },
    ])
  })

  test('is not believed with a key that has expired, or of another name', async () => {
    expect((await judgeWith({ key: { ...key, expired_at: 1794744000 } })).verdict).toMatchObject({ kind: 'forged' })
    expect((await judgeWith({ key: { ...key, kid: 'other' } })).verdict).toMatchObject({ kind: 'forged' })
  })

  test('shows its credentials in no error', async () => {
    const fetchText: FetchText = () => Promise.reject(new Error('the answer was 400'))
    const error: unknown = await judge(plaid({ credentials, fetchText }), delivery, at).catch(
      (thrown: unknown) => thrown,
    )

    expect(error).toMatchObject({ code: 'ONCEHOOK_KEYS_UNAVAILABLE' })
    expect(String(error)).not.toContain('secret-1')
  })

  test('takes no pinned key that has expired', () => {
    const publicKey = (expiredAt: number | null) => JSON.stringify({ ...key, expired_at: expiredAt })

    expect(() => plaid({ publicKey: publicKey(1794744000) })).toThrow(/"publicKey" has an "expired_at"/)
    expect(plaid({ publicKey: publicKey(null) }).verify(delivery, at)).toMatchObject({ kind: 'authentic' })
  })

  test.each([
    { clientId: '', secret: 's' },
    { clientId: 'c' },
    { clientId: 'c', secret: 's', environment: 'evil.example/' },
  ])('does not start with the credentials %j', (wrong) => {
    expect(() => plaid({ credentials: wrong as never })).toThrow(/"credentials" must have/)
  })
})

describe('a source whose keys cannot be fetched', () => {
  databaseTest('asks the provider to send again, and stores nothing', async ({ database }) => {
    const asked: string[] = []
    const fetchText: FetchText = (address) => {
      asked.push(address)
      return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }))
    }
    const topics = ['arn:aws:sns:eu-central-1:123456789012:orders']
    const errors: unknown[] = []
    const inbox = createInbox({
      store: postgresStore(database.pool, { schema: database.schema }),
      sources: { sns: awsSns({ topics, fetchText }) },
      logger: { info: () => {}, warn: () => {}, error: (...told) => void errors.push(told) },
    }).on('sns', '*', () => undefined)
    const keys = { publicKey: pem(rsaPair.publicKey), privateKey: pem(rsaPair.privateKey) }
    const { url, method, headers, body } = awsSns({ topics, ...keys }).sign({}, new Date())

    const response = await inbox.handler('sns')(
      new Request(url, {
        method,
        headers: [...headers].map(([name, [value = '']]) => [name, value]),
        body: Buffer.from(body),
      }),
    )
    await inbox.stop()

    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await inbox.receipts.find()).toEqual([])
    expect(asked).toHaveLength(1)
    expect(JSON.stringify(errors)).toContain('could not be fetched from sns.eu-central-1.amazonaws.com (ENOTFOUND)')
  })
})
