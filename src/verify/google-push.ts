import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { freshNumber, unixSeconds } from './compose.ts'
import type { KeySource } from './fetched-keys.ts'
import type { ClaimedEvent } from './identity.ts'
import { field, listAt } from './object.ts'
import type { ProviderDeclaration } from './provider-declaration.ts'
import type { ProviderOptions } from './provider-options.ts'
import { compositeId, partsOfId } from './safe-id.ts'
import { jwt, type KeyIdOf } from './schemes/jwt.ts'

/** What a push of Google Cloud Pub/Sub can be told beyond the common options. */
export type GooglePushOptions = {
  /** The e-mail address of the service account that the subscription uses. Google signs for everybody's accounts. */
  readonly serviceAccount?: string | undefined
  /** The audience of the subscription. Default: the address that was called; behind a proxy set `publicUrl`. */
  readonly audience?: string | undefined
}

/** The part of a declaration that every push of Google Cloud Pub/Sub shares: a token of Google, for one account and one audience. */
export function googlePush({
  serviceAccount,
  audience,
  publicKey,
  unverified,
}: GooglePushOptions & ProviderOptions): Pick<ProviderDeclaration, 'scheme' | 'mistakes' | 'warnings'> & {
  readonly ownOptions: Readonly<Record<string, string>>
} {
  const isPinned = publicKey !== undefined
  return {
    scheme: jwt({
      algorithm: 'RS256',
      claims: {
        iss: ['https://accounts.google.com', 'accounts.google.com'],
        email_verified: true,
        ...(serviceAccount === undefined ? {} : { email: serviceAccount }),
      },
      audience: audience === undefined ? 'called_url' : [audience],
      requiredTimes: ['iat', 'exp'],
      // One token is used for up to an hour, so its age says nothing; the clocks may differ by five minutes.
      issuedAt: 'start',
      toleranceSeconds: 300,
      signedClaims: (_, at) => ({
        azp: '113774264463038321964',
        sub: '113774264463038321964',
        email: 'pusher@acme.iam.gserviceaccount.com',
        iat: unixSeconds(at),
        exp: unixSeconds(at) + 3600,
      }),
      signingKeyId: '7d680d8c70d44e947133cbd499ebc1a61c3d5abc',
      keySource,
    }),
    ownOptions: {
      serviceAccount: 'the e-mail address of the service account that the push subscription uses',
      audience: 'the audience of the push subscription, if that is not the address that is called',
    },
    mistakes: [
      ...(serviceAccount === undefined && !isPinned && unverified !== true ? [serviceAccountMissing] : []),
      ...(serviceAccount === undefined || /^[^@\s]+@[^@\s]+$/.test(serviceAccount)
        ? []
        : ['"serviceAccount" must be an e-mail address.']),
      ...(audience?.trim() === '' ? ['"audience" is empty.'] : []),
    ],
    warnings: serviceAccount === undefined && isPinned ? [anyAccount] : [],
  }
}

/** The parts of an event that every message has. An id is unique within a topic only. */
export function claimedMessage(document: unknown): Pick<ClaimedEvent, 'id' | 'deliveryId'> {
  const messageId = field(document, 'message.messageId')
  return { id: compositeId([field(document, 'subscription'), messageId]), deliveryId: messageId }
}

/** An id as `claimedMessage` gives it, or a message's alone, back in its parts. */
export function messageParts(id: string | undefined): { readonly subscription: string; readonly messageId: string } {
  const parts = id === undefined ? [] : partsOfId(id)
  return {
    subscription: parts.at(-2) ?? 'projects/acme/subscriptions/orders',
    messageId: parts.at(-1) ?? String(freshNumber()),
  }
}

const serviceAccountMissing =
  '"serviceAccount" is missing: Google signs tokens for everybody’s accounts, so say for which (or pin "publicKey").'

const anyAccount =
  'tokens of any account are believed that were signed with the pinned key: name yours in "serviceAccount".'

function keySource(keyIdOf: KeyIdOf): KeySource {
  return {
    isOwnHost: (host) => host === 'www.googleapis.com',
    addressOf: (delivery) => {
      const keyId = keyIdOf(delivery)
      return keyId === undefined ? undefined : { address: 'https://www.googleapis.com/oauth2/v3/certs', keyId }
    },
    read: readKeySet,
  }
}

/** The RSA keys of a JSON Web Key Set by their names. */
function readKeySet(text: string): ReadonlyMap<string, KeyObject> {
  const keys = listAt(JSON.parse(text) as unknown, 'keys').flatMap((key): readonly [string, KeyObject][] => {
    const keyId = field(key, 'kid')
    if (typeof keyId !== 'string' || field(key, 'kty') !== 'RSA') return []
    return [[keyId, createPublicKey({ key: key as JsonWebKey, format: 'jwk' })]]
  })
  if (keys.length === 0) throw new Error('no keys came')
  return new Map(keys)
}
