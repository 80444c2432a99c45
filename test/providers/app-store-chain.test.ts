import { createPublicKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { appleAppStoreV2 } from '../../src/providers/apple-app-store-v2.ts'
import { type CertificateContent, issueCertificate } from '../../src/verify/issue-certificate.ts'
import { pem } from './key-server.ts'

const at = new Date('2026-11-15T12:00:00Z')
const day = 86_400_000
const leafMarker = '1.2.840.113635.100.6.11.1'
const intermediateMarker = '1.2.840.113635.100.6.2.1'

type Pair = ReturnType<typeof generateKeyPairSync>
const [rootPair, middlePair, leafPair, strangePair] = Array.from({ length: 4 }, () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }),
) as [Pair, Pair, Pair, Pair]

/** Certificates with one thing changed, as a forger would change it. */
type Changes = {
  readonly leaf?: Partial<CertificateContent>
  readonly middle?: Partial<CertificateContent>
  readonly root?: Partial<CertificateContent>
  readonly leafBy?: Pair
  readonly middleBy?: Pair
  readonly rootBy?: Pair
}

function chainOf({ leaf, middle, root, leafBy = middlePair, middleBy = rootPair, rootBy = rootPair }: Changes = {}) {
  const validity = { validFrom: new Date(at.getTime() - 100 * day), validTo: new Date(at.getTime() + 100 * day) }
  const authority = { ...validity, isAuthority: true }
  const marked = { markers: [leafMarker], publicKey: leafPair.publicKey }
  const markedMiddle = { markers: [intermediateMarker], publicKey: middlePair.publicKey }
  return [
    issueCertificate({ ...validity, subject: 'Leaf', issuer: 'Middle', ...marked, ...leaf }, leafBy.privateKey),
    issueCertificate(
      { ...authority, subject: 'Middle', issuer: 'Root', ...markedMiddle, ...middle },
      middleBy.privateKey,
    ),
    issueCertificate(
      { ...authority, subject: 'Root', issuer: 'Root', publicKey: rootPair.publicKey, ...root },
      rootBy.privateKey,
    ),
  ]
}

function notification(
  x5c: readonly Buffer[],
  {
    by = leafPair,
    header = {},
    claims = {},
  }: { readonly by?: Pair; readonly header?: object; readonly claims?: object } = {},
) {
  const head = { alg: 'ES256', x5c: x5c.map((der) => der.toString('base64')), ...header }
  const payload = {
    notificationType: 'DID_RENEW',
    notificationUUID: '002e14d5-51f5-4503-b5a8-c3a1af68eb20',
    signedDate: at.getTime(),
    data: { bundleId: 'com.example', environment: 'Production', appAppleId: 41234 },
    ...claims,
  }
  const signed = [head, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const mark = sign('sha256', Buffer.from(signed), { key: by.privateKey, dsaEncoding: 'ieee-p1363' })
  return { body: JSON.stringify({ signedPayload: `${signed}.${mark.toString('base64url')}` }) }
}

const rootDer = chainOf()[2] as Buffer
const source = appleAppStoreV2({ publicKey: rootDer, bundleId: 'com.example' })

describe('a notification of the App Store', () => {
  test('is authentic with the root pinned as DER, base64 of that, PEM, or its key alone', () => {
    const certificate = new X509Certificate(rootDer)
    const forms = [rootDer, rootDer.toString('base64'), certificate.toString(), pem(certificate.publicKey)]

    for (const publicKey of forms) {
      expect(appleAppStoreV2({ publicKey, bundleId: 'com.example' }).verify(notification(chainOf()), at)).toEqual({
        kind: 'authentic',
        secretIndex: 0,
      })
    }
  })

  test.each<[string, Changes]>([
    ['the leaf is issued by somebody else', { leafBy: strangePair }],
    ['the intermediate is issued by somebody else', { middleBy: strangePair }],
    [
      'all certificates are somebody else’s',
      { root: { publicKey: strangePair.publicKey }, rootBy: strangePair, middleBy: strangePair },
    ],
    ['the root has the pinned key but not its signature', { rootBy: strangePair }],
    ['the root has another key, though the pinned one signed it', { root: { publicKey: strangePair.publicKey } }],
    ['the intermediate is of another issuer by name', { middle: { issuer: 'Another root' } }],
    ['the leaf has no marker', { leaf: { markers: [] } }],
    ['the leaf has the marker of another purpose', { leaf: { markers: [intermediateMarker] } }],
    ['the intermediate has no marker', { middle: { markers: [] } }],
    ['the intermediate may not issue certificates', { middle: { isAuthority: false } }],
    ['the leaf is of another issuer by name', { leaf: { issuer: 'Root' } }],
    ['the leaf had ended when it signed', { leaf: { validTo: new Date(at.getTime() - 1000) } }],
    ['the intermediate had ended when it was signed', { middle: { validTo: new Date(at.getTime() - 1000) } }],
    ['the leaf was not valid yet', { leaf: { validFrom: new Date(at.getTime() + 1000) } }],
  ])('is forged when %s', (_, changes) => {
    expect(source.verify(notification(chainOf(changes)), at)).toEqual({ kind: 'forged', reason: 'signature_mismatch' })
  })

  test('is forged when somebody else than the leaf signed it, the issuers included', () => {
    for (const by of [strangePair, middlePair, rootPair]) {
      expect(source.verify(notification(chainOf(), { by }), at)).toMatchObject({ reason: 'signature_mismatch' })
    }
  })

  test('is forged with a customer’s certificate of the same root', () => {
    const customer = chainOf({ leaf: { subject: 'Developer', markers: [], publicKey: strangePair.publicKey } })

    expect(source.verify(notification(customer, { by: strangePair }), at)).toMatchObject({ kind: 'forged' })
  })

  test.each<[string, (chain: readonly Buffer[]) => readonly Buffer[]]>([
    ['two certificates', (chain) => chain.slice(0, 2)],
    ['four certificates', (chain) => [...chain, rootDer]],
    ['none', () => []],
    ['one that is none', ([leaf, middle]) => [leaf as Buffer, middle as Buffer, Buffer.from('no certificate')]],
  ])('is malformed with %s', (_, change) => {
    expect(source.verify(notification(change(chainOf())), at)).toEqual({
      kind: 'forged',
      reason: 'signature_malformed',
    })
  })

  test.each([{ alg: 'none' }, { alg: 'HS256' }, { alg: 'ES384' }, { x5c: undefined }, { crit: ['b64'] }])(
    'is malformed with the header %j',
    (header) => {
      expect(source.verify(notification(chainOf(), { header }), at)).toMatchObject({ reason: 'signature_malformed' })
    },
  )

  test('is forged with a key of another curve', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const chain = chainOf({ leaf: { publicKey: createPublicKey(pem(other.publicKey)) } })

    expect(source.verify(notification(chain, { by: other }), at)).toMatchObject({ kind: 'forged' })
  })

  test('that was signed before its certificate ended is authentic until the last retry, and no longer', () => {
    const chain = chainOf({ leaf: { validTo: new Date(at.getTime() + 1000) } })
    const delivery = notification(chain)

    expect(source.verify(delivery, new Date(at.getTime() + 157 * 3_600_000))).toMatchObject({ kind: 'authentic' })
    expect(source.verify(delivery, new Date(at.getTime() + 7 * day + 1000))).toMatchObject({
      reason: 'timestamp_outside_tolerance',
    })
  })

  test.each([
    [{ signedDate: undefined }, 'timestamp_missing'],
    [{ signedDate: String(at.getTime()) }, 'timestamp_malformed'],
    [{ signedDate: -1 }, 'timestamp_malformed'],
  ])('is forged with the claims %j', (claims, reason) => {
    expect(source.verify(notification(chainOf(), { claims }), at)).toEqual({ kind: 'forged', reason })
  })
})

describe('a notification for somebody else', () => {
  const ofApp = { publicKey: rootDer, bundleId: 'com.example', environment: 'Production', appAppleId: 41234 } as const
  const judge = (claims: object) => appleAppStoreV2(ofApp).verify(notification(chainOf(), { claims }), at)
  const app = { bundleId: 'com.example', environment: 'Production', appAppleId: 41234 }

  test.each(['data', 'summary', 'appData'])('is not taken, wherever it names its app: in %s', (place) => {
    const nothing = { data: undefined }

    expect(judge({ ...nothing, [place]: app }).kind).toBe('authentic')
    expect(judge({ ...nothing, [place]: { ...app, bundleId: 'com.evil' } })).toMatchObject({
      kind: 'forged',
      reason: 'signature_mismatch',
      hint: 'The notification is of another app than "bundleId".',
    })
    expect(judge({ ...nothing, [place]: { ...app, environment: 'Sandbox' } }).kind).toBe('forged')
    expect(judge({ ...nothing, [place]: { ...app, appAppleId: 1 } }).kind).toBe('forged')
  })

  test('is not taken when it names no app', () => {
    expect(judge({ data: undefined }).kind).toBe('forged')
  })

  test('shows its environment in the id of an external purchase', () => {
    const token = (externalPurchaseId: string) => ({
      data: undefined,
      externalPurchaseToken: { ...app, environment: undefined, externalPurchaseId },
    })

    expect(judge(token('0f3b0d9e')).kind).toBe('authentic')
    expect(judge(token('SANDBOX_0f3b0d9e')).kind).toBe('forged')
  })

  test('is warned of when no app is named', () => {
    expect(appleAppStoreV2({ publicKey: rootDer }).warnings).toEqual([expect.stringContaining('give "bundleId"')])
    expect(source.warnings).toEqual([])
  })

  test.each([{ bundleId: ' ' }, { environment: 'production' }, { appAppleId: '41234' }])(
    'cannot be told apart with %j',
    (wrong) => {
      expect(() => appleAppStoreV2({ publicKey: rootDer, ...(wrong as object) })).toThrow(/cannot start/)
    },
  )
})
