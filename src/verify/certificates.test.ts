import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { hasExtension, isIssuedBy, isValidAt, trustedKey } from './certificates.ts'
import { type CertificateContent, issueCertificate } from './issue-certificate.ts'

const at = new Date('2026-11-15T12:00:00Z')
const validFrom = new Date('2026-01-01T00:00:00Z')
const validTo = new Date('2027-01-01T00:00:00Z')

const pairs = vi.hoisted(() => ({ trusted: [] as string[] }))
vi.mock('node:tls', () => ({
  get rootCertificates() {
    return pairs.trusted
  },
}))

const [rootPair, middlePair, leafPair, strangePair] = Array.from({ length: 4 }, () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }),
) as [Pair, Pair, Pair, Pair]
type Pair = ReturnType<typeof generateKeyPairSync>

const rootContent = { subject: 'Root', issuer: 'Root', publicKey: rootPair.publicKey, isAuthority: true }
const middleContent = { subject: 'Middle', issuer: 'Root', publicKey: middlePair.publicKey, isAuthority: true }
const leafContent = { subject: 'hooks.acme.example', issuer: 'Middle', publicKey: leafPair.publicKey }

function certificate(
  content: Omit<CertificateContent, 'validFrom' | 'validTo'> & Partial<CertificateContent>,
  by: Pair,
) {
  return new X509Certificate(issueCertificate({ validFrom, validTo, ...content }, by.privateKey))
}

const root = certificate(rootContent, rootPair)
const middle = certificate(middleContent, rootPair)
const leaf = certificate(leafContent, middlePair)
pairs.trusted = [root.toString()]

const isSubject = (name: string): boolean => name === 'hooks.acme.example'
const keyOf = (chain: readonly X509Certificate[], moment: Date = at) =>
  trustedKey(chain.map(String).join('\n'), { at: moment, isSubject })

describe('the key of a certificate', () => {
  test('is trusted when the chain leads to a trusted root, in any order and with the root or without it', () => {
    for (const chain of [
      [leaf, middle],
      [leaf, middle, root],
      [leaf, root, middle],
    ]) {
      expect(keyOf(chain).equals(leafPair.publicKey)).toBe(true)
    }
  })

  test('is not trusted without what leads to the root', () => {
    expect(() => keyOf([leaf])).toThrow('does not lead to a root')
    expect(() => keyOf([leaf, root])).toThrow('does not lead to a root')
    expect(() => keyOf([])).toThrow('no certificate came')
    expect(() => trustedKey('<html>', { at, isSubject })).toThrow('no certificate came')
  })

  test('is not trusted when somebody else signed a step', () => {
    expect(() => keyOf([certificate(leafContent, strangePair), middle])).toThrow('does not lead to a root')
    expect(() => keyOf([leaf, certificate(middleContent, strangePair)])).toThrow('does not lead to a root')
    expect(() => keyOf([certificate({ ...leafContent, issuer: 'hooks.acme.example' }, leafPair)])).toThrow(
      'does not lead to a root',
    )
  })

  test('is not trusted when a certificate that is no authority issued it', () => {
    const customer = certificate(
      { subject: 'Customer', issuer: 'Middle', publicKey: strangePair.publicKey },
      middlePair,
    )
    const forged = certificate({ ...leafContent, issuer: 'Customer' }, strangePair)

    expect(() => keyOf([forged, customer, middle])).toThrow('does not lead to a root')
  })

  test('is not trusted under another name', () => {
    const other = certificate({ ...leafContent, subject: 'hooks.evil.example' }, middlePair)

    expect(() => keyOf([other, middle])).toThrow('is for another name')
  })

  test('is not trusted before and after the time of any certificate in the chain', () => {
    const early = certificate({ ...middleContent, validTo: new Date('2026-11-01T00:00:00Z') }, rootPair)

    expect(() => keyOf([leaf, middle], new Date('2025-12-31T23:59:59Z'))).toThrow('does not lead to a root')
    expect(() => keyOf([leaf, middle], new Date('2027-01-01T00:00:01Z'))).toThrow('does not lead to a root')
    expect(() => keyOf([leaf, early])).toThrow('does not lead to a root')
  })
})

describe('a certificate', () => {
  test('is issued by the authority that signed it, and by nobody else', () => {
    expect(isIssuedBy(leaf, middle)).toBe(true)
    expect(isIssuedBy(leaf, root)).toBe(false)
    expect(isIssuedBy(leaf, leaf)).toBe(false)
  })

  test('is valid from its first second to its last', () => {
    expect([validFrom, validTo].map((moment) => isValidAt(leaf, moment))).toEqual([true, true])
    expect(isValidAt(leaf, new Date(validTo.getTime() + 1000))).toBe(false)
    expect(isValidAt(leaf, new Date(validFrom.getTime() - 1000))).toBe(false)
    expect(isValidAt(leaf, new Date(Number.NaN))).toBe(false)
  })

  test('has exactly the extensions that it was given', () => {
    const marked = certificate({ ...leafContent, markers: ['1.2.840.113635.100.6.11.1'] }, middlePair)

    expect(hasExtension(marked, '1.2.840.113635.100.6.11.1')).toBe(true)
    expect(hasExtension(marked, '1.2.840.113635.100.6.2.1')).toBe(false)
    expect(hasExtension(leaf, '1.2.840.113635.100.6.11.1')).toBe(false)
    expect(hasExtension(middle, '2.5.29.19')).toBe(true)
  })

  test('does not have an extension because its name says so', () => {
    const identifier = Buffer.from('06092a864886f763640601', 'hex').toString('latin1')
    const named = certificate({ ...leafContent, subject: identifier }, middlePair)

    expect(hasExtension(named, '1.2.840.113635.100.6.1')).toBe(false)
  })
})
