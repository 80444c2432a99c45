import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { Delivery } from '../../src/delivery/delivery.ts'
import { awsSns } from '../../src/providers/aws-sns.ts'
import { paypal } from '../../src/providers/paypal.ts'
import { type CertificateContent, issueCertificate } from '../../src/verify/issue-certificate.ts'
import { judge, keyServer, pem } from './key-server.ts'
import { inBody, inHeader, withValues } from './provider-case.ts'

const trusted = vi.hoisted(() => ({ roots: [] as string[] }))
vi.mock('node:tls', () => ({
  get rootCertificates() {
    return trusted.roots
  },
}))

const at = new Date()
const year = 365 * 86_400_000
const validity = { validFrom: new Date(at.getTime() - year), validTo: new Date(at.getTime() + year) }
const rsaPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const [rootPair, otherRootPair] = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' })) as [Pair, Pair]
type Pair = ReturnType<typeof generateKeyPairSync>

function certificate(content: Partial<CertificateContent>, issuerKey: KeyObject = rootPair.privateKey): string {
  const common = { ...validity, issuer: 'Root', publicKey: rsaPair.publicKey, subject: 'sns.amazonaws.com' }
  return new X509Certificate(issueCertificate({ ...common, ...content }, issuerKey)).toString()
}

trusted.roots = [certificate({ subject: 'Root', publicKey: rootPair.publicKey, isAuthority: true })]

describe('Amazon SNS', () => {
  const topics = ['arn:aws:sns:eu-central-1:123456789012:orders']
  const sender = awsSns({ topics, publicKey: pem(rsaPair.publicKey), privateKey: pem(rsaPair.privateKey) })
  const delivery = sender.sign({}, at)

  test('is believed with the certificate at its own address, which is fetched once', async () => {
    const { asked, fetchText } = keyServer(() => certificate({}))
    const source = awsSns({ topics, fetchText })

    const verdicts = [await judge(source, delivery, at), await judge(source, delivery, at)]

    expect(verdicts).toEqual([
      { kind: 'authentic', secretIndex: 0 },
      { kind: 'authentic', secretIndex: 0 },
    ])
    expect(asked.map(({ address }) => address)).toEqual([inBody('SigningCertURL').read(delivery)])
  })

  test.each([
    'https://sns.eu-central-1.amazonaws.com.evil.example/a.pem',
    'https://evil.example/a.pem',
    'https://sns.evil.amazonaws.com@evil.example/a.pem',
    'https://s3.eu-central-1.amazonaws.com/evil/a.pem',
    'https://sns.eu-central-1.amazonaws.com/a/b.pem',
    'https://sns.eu-central-1.amazonaws.com/a.pem?b=1',
    'https://sns.eu-central-1.amazonaws.com/?a.pem',
    'http://sns.eu-central-1.amazonaws.com/a.pem',
  ])('asks nobody when the certificate is said to be at %s', async (address) => {
    const { asked, fetchText } = keyServer(() => certificate({}))
    const strange = inBody('SigningCertURL').write(delivery, [address])

    expect(await judge(awsSns({ topics, fetchText }), strange, at)).toMatchObject({ reason: 'secret_unknown' })
    expect(asked).toEqual([])
  })

  test('asks nobody for what is unsigned or of another topic', async () => {
    const { asked, fetchText } = keyServer(() => certificate({}))
    const source = awsSns({ topics, fetchText })
    const unsigned = inBody('Signature').write(delivery, [])
    const otherTopic = inBody('TopicArn').write(delivery, ['arn:aws:sns:eu-central-1:999999999999:orders'])

    expect(await judge(source, unsigned, at)).toMatchObject({ reason: 'signature_missing' })
    expect(await judge(source, otherTopic, at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(asked).toEqual([])
  })

  test('is not believed with a certificate that has ended', async () => {
    const { fetchText } = keyServer(() => certificate({ validTo: new Date(at.getTime() - 1000) }))

    await expect(judge(awsSns({ topics, fetchText }), delivery, at)).rejects.toThrow('not valid now')
  })

  test('is never asked for a certificate when one is pinned', async () => {
    const { asked, fetchText } = keyServer(() => certificate({}))
    const source = awsSns({ topics, publicKey: pem(rsaPair.publicKey), fetchText })

    expect(await judge(source, delivery, at)).toMatchObject({ kind: 'authentic' })
    expect(asked).toEqual([])
  })

  test('is never asked when nothing is verified', async () => {
    const { asked, fetchText } = keyServer(() => certificate({}))

    expect(await judge(awsSns({ unverified: true, fetchText }), delivery, at)).toMatchObject({ kind: 'authentic' })
    expect(asked).toEqual([])
  })
})

describe('PayPal', () => {
  const webhookId = '4JH86294D6297924G'
  const name = 'messageverificationcerts.paypal.com'
  const sender = paypal({ webhookId, publicKey: pem(rsaPair.publicKey), privateKey: pem(rsaPair.privateKey) })
  const delivery = sender.sign({}, at)
  const judgeWith = (text: string, sent: Delivery = delivery) => {
    const { asked, fetchText } = keyServer(() => text)
    return judge(paypal({ webhookId, fetchText }), sent, at).then((verdict) => ({ verdict, asked }))
  }

  test('is believed with a certificate of its own name that leads to a trusted root', async () => {
    const { verdict, asked } = await judgeWith(certificate({ subject: name }))

    expect(verdict).toEqual({ kind: 'authentic', secretIndex: 0 })
    expect(asked.map(({ address }) => address)).toEqual([inHeader('paypal-cert-url').read(delivery)])
  })

  test('is believed in the sandbox', async () => {
    const address = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1'
    const sandbox = withValues(delivery, 'paypal-cert-url', [address])

    const { verdict, asked } = await judgeWith(
      certificate({ subject: 'messageverificationcerts.sandbox.paypal.com' }),
      sandbox,
    )

    expect(verdict).toMatchObject({ kind: 'authentic' })
    expect(asked).toMatchObject([{ address }])
  })

  test.each([
    ['for another name', certificate({ subject: 'www.paypal.com' })],
    [
      'for a name that only looks like it',
      certificate({ subject: 'messageverificationcerts.paypal.com.evil.example' }),
    ],
    ['of an unknown root', certificate({ subject: name }, otherRootPair.privateKey)],
    ['that has ended', certificate({ subject: name, validTo: new Date(at.getTime() - 1000) })],
    ['that is none', '<html>'],
  ])('is not believed with a certificate %s', async (_, text) => {
    await expect(judgeWith(text)).rejects.toMatchObject({ code: 'ONCEHOOK_KEYS_UNAVAILABLE' })
  })

  test.each([
    'https://evil.example/v1/notifications/certs/CERT-1',
    'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1',
    'https://www.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com/v1/other/CERT-1',
    'https://api.paypal.com/v1/notifications/certs/../../other',
    'https://api.paypal.com/v1/notifications/certs/CERT-1?next=evil',
    '',
  ])('asks nobody when the certificate is said to be at %j', async (address) => {
    const strange = withValues(delivery, 'paypal-cert-url', [address])

    const { verdict, asked } = await judgeWith(certificate({ subject: name }), strange)

    expect(verdict).toMatchObject({ kind: 'forged', reason: 'secret_unknown' })
    expect(asked).toEqual([])
  })

  test('is not believed with another algorithm than the one it uses', async () => {
    const weaker = withValues(delivery, 'paypal-auth-algo', ['SHA1withRSA'])

    expect((await judgeWith(certificate({ subject: name }), weaker)).verdict).toMatchObject({
      reason: 'signature_malformed',
    })
  })
})
