import { type KeyObject, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { derTag, objectIdentifier, readDer } from './der.ts'

/** More than any real chain has. */
const longestChain = 8

/**
 * The key of the first certificate in a PEM text, if the text leads from it to a root that Node.js trusts. Throws otherwise,
 * with a message for the receiver's developer.
 */
export function trustedKey(
  pem: string,
  { at, isSubject }: { readonly at: Date; readonly isSubject: (commonName: string) => boolean },
): KeyObject {
  const chain = certificatesIn(pem)
  const [leaf] = chain
  if (leaf === undefined) throw new Error('no certificate came')
  if (!isSubject(commonNameOf(leaf))) throw new Error('the certificate is for another name')
  if (!leadsToRoot(leaf, chain, at)) throw new Error('the certificate does not lead to a root that is trusted now')
  return leaf.publicKey
}

/** True if the issuer may issue certificates, and signed this one. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

/** True from its first to its last second. */
export function isValidAt({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo)
}

/** True if it has an extension with this object identifier, whatever that holds. */
export function hasExtension({ raw }: X509Certificate, dotted: string): boolean {
  const wanted = objectIdentifier(dotted)
  const [body] = inside(raw, derTag.sequence)
  const extensions = inside(body?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === extensionsTag)
  return inside(extensions?.content ?? Buffer.alloc(0), derTag.sequence).some(({ content }) => {
    const [identifier] = readDer(content) ?? []
    return identifier?.tag === derTag.objectIdentifier && wanted.equals(identifier.content)
  })
}

/** Context-specific, number 3. */
const extensionsTag = 0xa3

/** The items inside the one item that these bytes are; with a tag, inside that one only. */
function inside(bytes: Uint8Array, tag?: number): NonNullable<ReturnType<typeof readDer>> {
  const items = readDer(bytes) ?? []
  if (tag === undefined) return items
  const [only] = items
  return items.length === 1 && only?.tag === tag ? (readDer(only.content) ?? []) : []
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []
  return texts.slice(0, longestChain).map((text) => new X509Certificate(text))
}

function commonNameOf({ subject }: X509Certificate): string {
  const names = subject.split('\n').filter((line) => line.startsWith('CN='))
  return names.length === 1 ? (names[0]?.slice(3) ?? '') : ''
}

function leadsToRoot(leaf: X509Certificate, chain: readonly X509Certificate[], at: Date): boolean {
  let current: X509Certificate | undefined = leaf
  for (let length = 0; current !== undefined && length < longestChain; length += 1) {
    const certificate: X509Certificate = current
    if (!isValidAt(certificate, at)) return false
    if (rootsNamed(certificate.issuer).some((root) => isIssuedBy(certificate, root) && isValidAt(root, at))) return true
    current = chain.find((issuer) => issuer !== certificate && isIssuedBy(certificate, issuer))
  }
  return false
}

let roots: readonly X509Certificate[] | undefined

/** Read once, and only where a certificate has to be checked: there are more than a hundred. */
function rootsNamed(subject: string): readonly X509Certificate[] {
  roots ??= rootCertificates.map((pem) => new X509Certificate(pem))
  return roots.filter((root) => root.subject === subject)
}
