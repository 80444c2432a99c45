import { crc32 } from 'node:zlib'
import { type Delivery, firstHeader } from '../../delivery/delivery.ts'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { decodeStrictly, encode } from '../bytes.ts'
import { isOwnAddress, type KeySource } from '../fetched-keys.ts'
import { anyPrivateKey, anyPublicKey } from '../keys.ts'
import { type Proof, type Refusal, refuse, type Scheme, withHeaders } from '../scheme.ts'
import { readTimestamp } from '../timestamp.ts'

/** A signature over headers and a CRC32 of the body. */
export type SignedChecksumOptions = {
  /** The header names. */
  readonly signature: string
  readonly id: string
  readonly timestamp: string
  readonly algorithmName: string
  readonly keyAddress: string
  /** The one algorithm, and how the sender names it. */
  readonly algorithm: Algorithm
  readonly algorithmLabel: string
  /** What the signature ties the message to: the receiver's name at the sender. */
  readonly receiver: string
  readonly toleranceSeconds: number
  /** What a key's address looks like, on one of the sender's own hosts. */
  readonly keyAddressPattern: RegExp
  readonly keySource: Omit<KeySource, 'addressOf'>
  /** A key's address, for signing. */
  readonly signingKeyAddress: string
}

/** Signs `id|timestamp|receiver|checksum`. A CRC32 finds damage, not forgery: bodies with the same one are easily made. */
export function signedChecksum(options: SignedChecksumOptions): Scheme {
  const { algorithm, receiver, toleranceSeconds } = options
  const contentOf = (id: string, timestamp: string, body: Uint8Array) => [
    `${id}|${timestamp}|${receiver}|${crc32(body)}`,
  ]
  const isKeyAddress = (address: string): boolean =>
    isOwnAddress(options.keySource, address) && options.keyAddressPattern.test(address)
  const valueOf = ({ headers }: Delivery, name: string): string => firstHeader(headers, name) ?? ''

  const read = (delivery: Delivery): Proof | Refusal => {
    const [sent, id, timestamp, label, address] = [
      options.signature,
      options.id,
      options.timestamp,
      options.algorithmName,
      options.keyAddress,
    ].map((name) => valueOf(delivery, name)) as [string, string, string, string, string]
    if (sent === '' || id === '') return refuse('signature_missing')
    const signature = decodeStrictly(sent, 'base64')
    if (signature === undefined || !algorithm.hasLength(signature.length)) return refuse('signature_malformed')
    if (label !== options.algorithmLabel) return refuse('signature_malformed')
    if (!isKeyAddress(address))
      return refuse('secret_unknown', `The header ${options.keyAddress} is not the sender’s own.`)
    if (timestamp === '') return refuse('timestamp_missing')
    const timestampSeconds = readTimestamp(timestamp, 'iso8601')
    if (timestampSeconds === undefined) return refuse('timestamp_malformed')
    return {
      kind: 'proof',
      mismatch: 'signature_mismatch',
      timestampSeconds,
      isMadeWith: (key, { body = delivery.body } = {}) =>
        algorithm.isMadeWith(key, contentOf(id, timestamp, body), [signature]),
    }
  }

  return {
    describe: `${algorithm.name} over ids, timestamp and a CRC32 of the body in ${options.signature}`,
    headers: [options.signature, options.id, options.timestamp, options.algorithmName, options.keyAddress],
    proofHeaders: [options.signature],
    publicKey: anyPublicKey,
    privateKey: anyPrivateKey,
    toleranceSeconds,
    keySource: {
      ...options.keySource,
      addressOf: (delivery) => {
        const address = valueOf(delivery, options.keyAddress)
        return isKeyAddress(address) ? { address } : undefined
      },
    },
    isBodySigned: true,
    isUrlSigned: false,
    weaknesses: [
      'Only a CRC32 of the body is signed: whoever holds one delivery can send another body with the same checksum. ' +
        'Read the event from the API before anything that matters.',
    ],
    read,
    sign: (delivery, key, at) => {
      const id = valueOf(delivery, options.id)
      const timestamp = `${at.toISOString().slice(0, 19)}Z`
      return withHeaders(delivery, {
        [options.timestamp]: timestamp,
        [options.algorithmName]: options.algorithmLabel,
        [options.keyAddress]: options.signingKeyAddress,
        [options.signature]: encode(algorithm.make(key, contentOf(id, timestamp, delivery.body)), 'base64'),
      })
    },
  }
}
