import { type KeyObject, sign } from 'node:crypto'
import { derTag, objectIdentifier, writeDer } from './der.ts'

/** What a certificate says. */
export type CertificateContent = {
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly validFrom: Date
  readonly validTo: Date
  /** Whether it may issue others. Default false. */
  readonly isAuthority?: boolean
  /** Object identifiers of extensions that only mark it. */
  readonly markers?: readonly string[]
}

/**
 * A certificate in DER, signed with a key on P-256. For tests and simulators that play a provider whose proof is a chain of
 * certificates: who trusts its root gave the key for it.
 */
export function issueCertificate(content: CertificateContent, issuerKey: KeyObject): Buffer {
  const { subject, issuer, publicKey, validFrom, validTo, isAuthority = false, markers = [] } = content
  const extensions = [...(isAuthority ? [authority] : []), ...markers.map(marker)]
  const body = sequence(
    writeDer(versionTag, integer(2)),
    integer(1),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(validFrom), time(validTo)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length === 0 ? [] : [writeDer(extensionsTag, sequence(...extensions))]),
  )
  return sequence(body, ecdsaWithSha256, bitString(sign('sha256', body, issuerKey)))
}

/** Context-specific, numbers 0 and 3. */
const versionTag = 0xa0
const extensionsTag = 0xa3

const ecdsaWithSha256 = sequence(identifier('1.2.840.10045.4.3.2'))

/** The basic constraints that make a certificate an authority, marked as critical. */
const authority = sequence(
  identifier('2.5.29.19'),
  writeDer(derTag.boolean, Buffer.of(0xff)),
  writeDer(derTag.octetString, sequence(writeDer(derTag.boolean, Buffer.of(0xff)))),
)

function marker(dotted: string): Buffer {
  const nothing = Buffer.of(0x05, 0x00)
  return sequence(identifier(dotted), writeDer(derTag.octetString, nothing))
}

function nameOf(commonName: string): Buffer {
  const text = writeDer(derTag.utf8String, Buffer.from(commonName, 'utf8'))
  return sequence(writeDer(derTag.set, sequence(identifier('2.5.4.3'), text)))
}

function time(moment: Date): Buffer {
  const digits = moment.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return writeDer(derTag.generalizedTime, Buffer.from(digits, 'ascii'))
}

function bitString(bytes: Uint8Array): Buffer {
  return writeDer(derTag.bitString, Buffer.of(0), bytes)
}

function integer(small: number): Buffer {
  return writeDer(derTag.integer, Buffer.of(small))
}

function identifier(dotted: string): Buffer {
  return writeDer(derTag.objectIdentifier, objectIdentifier(dotted))
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return writeDer(derTag.sequence, ...parts)
}
