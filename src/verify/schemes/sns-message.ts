import { createPublicKey, X509Certificate } from 'node:crypto'
import { rsa } from '../algorithms/rsa.ts'
import { isValidAt } from '../certificates.ts'
import { isOwnAddress, type KeySource } from '../fetched-keys.ts'
import { parseJson } from '../json.ts'
import { anyPrivateKey, anyPublicKey } from '../keys.ts'
import { field, isObject } from '../object.ts'
import { type Refusal, refuse, type Scheme } from '../scheme.ts'
import { type SignedPart, signaturesInBody } from './signatures-in-body.ts'

/** A message of Amazon SNS, as it comes over HTTP. */
export function snsMessage({ topics }: { readonly topics: readonly string[] | undefined }): Scheme {
  return signaturesInBody({
    describe:
      'RSA over named fields of the body (SHA-1 or SHA-256, by "SignatureVersion") in the body field "Signature"',
    partsOf: (document) => (isObject(document) ? partsOf(document, topics) : undefined),
    proofPaths: ['Signature'],
    withSignatures: (document, [Signature]) => ({ ...(document as object), Signature }),
    // A retry comes within the hour and keeps the time of publication; a throttled subscription may lag behind.
    timestamp: { of: (document) => field(document, 'Timestamp'), unit: 'iso8601', toleranceSeconds: 86_400 },
    publicKey: anyPublicKey,
    privateKey: anyPrivateKey,
    keySource,
    weaknesses: [
      'The signature proves that Amazon SNS sent the message, for whichever account: only "topics" says whose messages are taken.',
      'SignatureVersion 1, the default of a topic, signs a SHA-1 digest: set the topic to version 2.',
    ],
  })
}

/** An address of Amazon SNS itself. */
export function isSnsAddress(address: unknown): address is string {
  return typeof address === 'string' && isOwnAddress(keySource, address)
}

const algorithms = new Map<unknown, SignedPart['algorithm']>([
  ['1', rsa({ hash: 'sha1' })],
  ['2', rsa({ hash: 'sha256' })],
])

const ofNotification = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const ofConfirmation = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']

const signedNames: ReadonlyMap<unknown, readonly [readonly string[], ...(readonly string[])[]]> = new Map([
  ['Notification', [ofNotification]],
  ['SubscriptionConfirmation', [ofConfirmation]],
  // By the documents the token is signed here too, by the library for Node.js it is not.
  ['UnsubscribeConfirmation', [ofConfirmation, ofConfirmation.filter((name) => name !== 'Token')]],
])

function partsOf(
  document: Readonly<Record<string, unknown>>,
  topics: readonly string[] | undefined,
): readonly SignedPart[] | Refusal | undefined {
  const names = signedNames.get(document.Type)
  if (names === undefined) return undefined
  const algorithm = algorithms.get(document.SignatureVersion)
  if (algorithm === undefined) return refuse('signature_malformed')
  if (!isCertificateAddress(document.SigningCertURL)) {
    return refuse('secret_unknown', 'The body field "SigningCertURL" names no certificate of Amazon SNS.')
  }
  if (topics?.includes(String(document.TopicArn)) === false) {
    return refuse('signature_mismatch', 'The message is of a topic that is not among "topics".')
  }
  const [first, ...others] = names
  const contentOf = (list: readonly string[]) => list.map((name) => lineOf(name, document[name]))
  return [{ algorithm, signature: document.Signature, contents: [contentOf(first), ...others.map(contentOf)] }]
}

function lineOf(name: string, value: unknown): string {
  return typeof value === 'string' ? `${name}\n${value}\n` : ''
}

const keySource: KeySource = {
  isOwnHost: (host) => /^sns\.[a-z0-9-]{3,}\.amazonaws\.com(?:\.cn)?$/.test(host),
  addressOf: ({ body }) => {
    const parsed = parseJson(body)
    const address = parsed.kind === 'parsed' ? field(parsed.document, 'SigningCertURL') : undefined
    return isCertificateAddress(address) ? { address } : undefined
  },
  read: (text, at) => {
    const certificate = new X509Certificate(text)
    if (!isValidAt(certificate, at)) throw new Error('the certificate is not valid now')
    return new Map([['', createPublicKey(text)]])
  },
}

/** Without a query: addresses that differ only there would be fetched one by one. */
function isCertificateAddress(address: unknown): address is string {
  return isSnsAddress(address) && /^https:\/\/[^/]+\/[\w-]+\.pem$/.test(address)
}
