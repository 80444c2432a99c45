import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Delivery } from '../../delivery/delivery.ts'
import { ecdsa } from '../algorithms/ecdsa.ts'
import { hasExtension, isIssuedBy, isValidAt } from '../certificates.ts'
import { issueCertificate } from '../issue-certificate.ts'
import { parseJson } from '../json.ts'
import { anyPrivateKey, anyPublicKey, type KeyFormat, type KeyMaterial } from '../keys.ts'
import { field, isObject } from '../object.ts'
import { type Proof, type Refusal, refuse, type Scheme } from '../scheme.ts'
import { type Jws, readJws, writeJws } from './jws.ts'

/** A signature (ES256) in a JSON body that brings its own certificates, up to a root that the receiver has pinned. */
export type CertifiedJwsOptions = {
  /** The body field with the signature. */
  readonly field: string
  /** The extensions that say what the certificates are for: of the one that signs, and of the one that issued it. */
  readonly markers: { readonly leaf: string; readonly intermediate: string }
  /** When it was signed, in milliseconds since 1970. */
  readonly signedAtClaim: string
  readonly toleranceSeconds: number
  /** What is wrong with the claims, for the receiver's developer; undefined if nothing is. */
  readonly doubtAbout: (claims: Jws['claims']) => string | undefined
}

type Chain = readonly [leaf: X509Certificate, intermediate: X509Certificate, root: X509Certificate]

const algorithm = ecdsa({ hash: 'sha256', form: 'raw' })
/** The body as a whole has a limit; the signature holds nearly all of it. */
const longestPart = 4 * 1024 * 1024

/** The pinned key is that of the root; it signs through the two other certificates. */
export function certifiedJws(options: CertifiedJwsOptions): Scheme {
  const { markers, toleranceSeconds } = options

  const read = (delivery: Delivery): Proof | Refusal => {
    const sent = field(documentOf(delivery), options.field)
    if (sent === undefined || sent === '') return refuse('signature_missing')
    const jws = typeof sent === 'string' ? readJws(sent, longestPart) : undefined
    const chain = chainOf(jws)
    if (jws?.header.alg !== 'ES256' || jws.signature.length !== 64 || chain === undefined)
      return refuse('signature_malformed')
    const signedAt = jws.claims[options.signedAtClaim]
    if (signedAt === undefined) return refuse('timestamp_missing')
    if (typeof signedAt !== 'number' || !Number.isSafeInteger(signedAt) || signedAt < 0)
      return refuse('timestamp_malformed')
    const doubt = options.doubtAbout(jws.claims)
    return {
      kind: 'proof',
      mismatch: 'signature_mismatch',
      timestampSeconds: signedAt / 1000,
      ...(doubt === undefined ? {} : { doubt }),
      isMadeWith: (rootKey) =>
        doubt === undefined &&
        // At the moment of signing: a certificate may end before the last retry comes, and the tolerance limits how long ago that was.
        isTrusted(chain, { rootKey, markers, at: new Date(signedAt) }) &&
        algorithm.isMadeWith(chain[0].publicKey, [jws.signed], [jws.signature]),
    }
  }

  return {
    describe: `JWS (ES256) with its certificates in the body field "${options.field}"`,
    headers: [],
    // The proof is one with the document, so it stays in it. Anybody may check it, and nobody can make another one of it.
    proofHeaders: [],
    publicKey: rootKeyFormat,
    privateKey: anyPrivateKey,
    toleranceSeconds,
    isBodySigned: true,
    isUrlSigned: false,
    read,
    sign: (delivery, key, at) => {
      const claims = { ...claimsToSign(delivery, options.field), [options.signedAtClaim]: at.getTime() }
      const header = { alg: 'ES256', x5c: issueChain(key, at, markers).map((der) => der.toString('base64')) }
      const signed = writeJws(header, claims, (text) => algorithm.make(key, [text]))
      return { ...delivery, body: Buffer.from(JSON.stringify({ [options.field]: signed }), 'utf8') }
    },
  }
}

/** A public key, or the certificate of the root as PEM, DER or base64 of that. */
const rootKeyFormat: KeyFormat = (material) => {
  try {
    return new X509Certificate(derOf(material)).publicKey
  } catch {
    return anyPublicKey(material)
  }
}

function derOf(material: KeyMaterial): string | Uint8Array {
  return typeof material === 'string' && !material.includes('-----BEGIN') ? Buffer.from(material, 'base64') : material
}

function isTrusted(
  [leaf, intermediate, root]: Chain,
  { rootKey, markers, at }: { rootKey: KeyObject; markers: CertifiedJwsOptions['markers']; at: Date },
): boolean {
  return (
    // The pinned key makes the root one, whatever its certificate says; that has to be the root's own word all the same.
    root.publicKey.equals(rootKey) &&
    root.verify(rootKey) &&
    intermediate.checkIssued(root) &&
    intermediate.verify(rootKey) &&
    isIssuedBy(leaf, intermediate) &&
    hasExtension(intermediate, markers.intermediate) &&
    hasExtension(leaf, markers.leaf) &&
    [leaf, intermediate, root].every((certificate) => isValidAt(certificate, at)) &&
    leaf.publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  )
}

/** Exactly three: who signs, who issued that, and the root. */
function chainOf(jws: Jws | undefined): Chain | undefined {
  const list = jws?.header.x5c
  if (!Array.isArray(list) || list.length !== 3) return undefined
  try {
    const [leaf, intermediate, root] = list.map((item) => new X509Certificate(Buffer.from(String(item), 'base64')))
    return leaf && intermediate && root && [leaf, intermediate, root]
  } catch {
    return undefined
  }
}

const validForMilliseconds = 365 * 86_400_000

/** The key of the root plays all three parts. */
function issueChain(key: KeyObject, at: Date, markers: CertifiedJwsOptions['markers']): readonly Buffer[] {
  const [validFrom, validTo] = [-validForMilliseconds, validForMilliseconds].map(
    (offset) => new Date(at.getTime() + offset),
  ) as [Date, Date]
  const common = { publicKey: createPublicKey(key), validFrom, validTo }
  const [leaf, intermediate, root] = ['Oncehook Test Leaf', 'Oncehook Test Intermediate', 'Oncehook Test Root'] as const
  return [
    { ...common, subject: leaf, issuer: intermediate, markers: [markers.leaf] },
    { ...common, subject: intermediate, issuer: root, isAuthority: true, markers: [markers.intermediate] },
    { ...common, subject: root, issuer: root, isAuthority: true },
  ].map((content) => issueCertificate(content, key))
}

/** A body that is signed already is signed anew, with the same claims. */
function claimsToSign(delivery: Delivery, name: string): Readonly<Record<string, unknown>> {
  const document = documentOf(delivery)
  const signed = field(document, name)
  const claims = typeof signed === 'string' ? readJws(signed, longestPart)?.claims : document
  return isObject(claims) ? claims : {}
}

function documentOf({ body }: Delivery): unknown {
  const parsed = parseJson(body, 'plain')
  return parsed.kind === 'parsed' ? parsed.document : undefined
}
