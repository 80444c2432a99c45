import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { KeySource } from '../verify/fetched-keys.ts'
import { anyPublicKey, type KeyFormat } from '../verify/keys.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { jwt, type KeyIdOf } from '../verify/schemes/jwt.ts'

/** What Plaid can be told beyond the common options. */
export type PlaidOptions = {
  /** The client id and secret of the Plaid API, with which its keys are fetched. Not needed where `publicKey` pins one. */
  readonly credentials?: PlaidCredentials | undefined
}

/** With what Plaid is asked for its keys. */
export type PlaidCredentials = {
  readonly clientId: string
  readonly secret: string
  /** Default `production`. */
  readonly environment?: 'production' | 'sandbox'
}

/** Plaid. Its keys are fetched from its API with `credentials`, unless `publicKey` pins one (as JSON Web Key). https://plaid.com/docs/api/webhooks/webhook-verification/ */
export const plaid: (options: ProviderOptions & PlaidOptions) => Provider = defineProvider<PlaidOptions>(
  ({ credentials, publicKey, unverified }) => ({
    name: 'plaid',
    title: 'Plaid',
    documentation: 'https://plaid.com/docs/api/webhooks/webhook-verification/',
    scheme: jwt({
      header: 'plaid-verification',
      algorithm: 'ES256',
      bodyHashClaim: 'request_body_sha256',
      requiredTimes: ['iat'],
      toleranceSeconds: 300,
      signedClaims: (_, at) => ({ iat: unixSeconds(at) }),
      signingKeyId: 'bfbd5111-8e33-4643-8ced-b2e642a72f3c',
      publicKey: liveKey,
      keySource: (keyIdOf) => keySource(credentials, keyIdOf),
    }),
    idField: 'nothing that Plaid sends: every delivery counts as a new event',
    reads: ['webhook_type', 'webhook_code', 'item_id'],
    identify: ({ document, arrivalId }) => ({
      id: arrivalId,
      type: typeOf(document),
      objectId: field(document, 'item_id'),
    }),
    identityAdvice:
      'Plaid sends no id, and two different events can be equal to the last byte, so every delivery counts as a new event. ' +
      'Take it as a sign that something changed, and read what changed with the cursor of the item.',
    answer: () => ({ status: 200 }),
    successStatus: '200 only',
    order: 'not_guaranteed',
    retryHours: 24,
    retrySchedule: 'after 30 seconds, then four times as long each time, up to 24 hours',
    sending: {
      pausesSeconds: [30, 120, 480, 1_920, 7_680, 30_720],
      successes: [200],
      retryAfterUpToSeconds: 14_400,
      leftOut: ['It stops when more than nine of ten deliveries within a day were rejected.'],
    },
    deadlineSeconds: 10,
    confidence: 'documents',
    surprises: [
      'The hash of the body is part of a token, so that a body whose white space was changed is refused.',
      'Keys expire: one with an "expired_at" is refused, pinned or fetched.',
      'Plaid stops sending when more than nine of ten deliveries within a day were rejected.',
    ],
    ownOptions: {
      credentials: 'the client id, the secret and the environment of the Plaid API, with which its keys are fetched',
    },
    mistakes: credentialMistakes(credentials, publicKey !== undefined || unverified === true),
    compose: ({ type = 'TRANSACTIONS.SYNC_UPDATES_AVAILABLE', payload }) => {
      const [webhookType, webhookCode = 'DEFAULT_UPDATE'] = type.split('.')
      const event = {
        environment: 'production',
        error: null,
        item_id: freshId(),
        webhook_code: webhookCode,
        webhook_type: webhookType,
        ...payload,
      }
      return { ...jsonEvent(event), body: JSON.stringify(event, undefined, 2) }
    },
  }),
)

function typeOf(document: unknown): string | undefined {
  const [type, code] = [field(document, 'webhook_type'), field(document, 'webhook_code')]
  return typeof type === 'string' && typeof code === 'string' ? `${type}.${code}` : undefined
}

/** A pinned key that Plaid has marked as expired proves nothing any more. */
const liveKey: KeyFormat = (material) => {
  const text = typeof material === 'string' ? material.trim() : ''
  if (text.startsWith('{') && isExpired(parse(text)))
    return { mistake: 'has an "expired_at": pin a key that is in use' }
  return anyPublicKey(material)
}

function keySource(credentials: PlaidCredentials | undefined, keyIdOf: KeyIdOf): KeySource {
  const host = `${credentials?.environment ?? 'production'}.plaid.com`
  return {
    isOwnHost: (name) => name === host,
    addressOf: (delivery) => {
      const keyId = keyIdOf(delivery) ?? ''
      if (credentials === undefined || !/^[\w-]{1,64}$/.test(keyId)) return undefined
      const body = JSON.stringify({ client_id: credentials.clientId, secret: credentials.secret, key_id: keyId })
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body } as const
      return { address: `https://${host}/webhook_verification_key/get`, keyId, request }
    },
    read: (text) => {
      const key = field(parse(text), 'key')
      const keyId = field(key, 'kid')
      if (!isObject(key) || typeof keyId !== 'string') throw new Error('no key came')
      if (isExpired(key)) return new Map()
      return new Map([[keyId, createPublicKey({ key: key as JsonWebKey, format: 'jwk' })]])
    },
  }
}

function isExpired(key: unknown): boolean {
  return (field(key, 'expired_at') ?? null) !== null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function credentialMistakes(credentials: PlaidCredentials | undefined, isOptional: boolean): readonly string[] {
  if (credentials === undefined) return isOptional ? [] : ['"credentials" is missing: give it, or pin "publicKey".']
  const { clientId, secret, environment = 'production' } = credentials
  const areTexts = [clientId, secret].every((text) => typeof text === 'string' && text.trim() !== '')
  const isKnown = environment === 'production' || environment === 'sandbox'
  return areTexts && isKnown
    ? []
    : ['"credentials" must have clientId, secret, and environment "production" or "sandbox".']
}
