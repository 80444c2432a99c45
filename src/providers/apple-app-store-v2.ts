import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { parseJson } from '../verify/json.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ReadDocument } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { certifiedJws } from '../verify/schemes/certified-jws.ts'

/** What the App Store can be told beyond the common options. */
export type AppleAppStoreV2Options = {
  /** The app's bundle id. Apple signs for everybody's apps: without it, notifications of any app are taken. */
  readonly bundleId?: string | undefined
  /** Default: both. */
  readonly environment?: 'Production' | 'Sandbox' | undefined
  /** The app's numeric id; it is compared in production only, the sandbox has none. */
  readonly appAppleId?: number | undefined
}

/** App Store Server Notifications V2. `publicKey` is the certificate Apple Root CA - G3 from https://www.apple.com/certificateauthority/. https://developer.apple.com/documentation/appstoreservernotifications/responding-to-app-store-server-notifications */
export const appleAppStoreV2: (options: ProviderOptions & AppleAppStoreV2Options) => Provider =
  defineProvider<AppleAppStoreV2Options>((options) => ({
    name: 'apple-app-store-v2',
    title: 'Apple App Store',
    documentation:
      'https://developer.apple.com/documentation/appstoreservernotifications/responding-to-app-store-server-notifications',
    scheme: certifiedJws({
      field: 'signedPayload',
      markers: { leaf: '1.2.840.113635.100.6.11.1', intermediate: '1.2.840.113635.100.6.2.1' },
      signedAtClaim: 'signedDate',
      // The last retry comes 157 hours after the first attempt, and nobody says whether it is signed anew.
      toleranceSeconds: 7 * 86_400,
      doubtAbout: (claims) => doubtAbout(claims, options),
    }),
    idField: 'the field "notificationUUID" of the signed payload',
    isIdSigned: true,
    readDocument,
    identify: ({ document }) => {
      const [type, subtype] = [field(document, 'notificationType'), field(document, 'subtype')]
      return {
        id: field(document, 'notificationUUID'),
        type: typeof subtype === 'string' && subtype !== '' ? `${String(type)}.${subtype}` : type,
        objectId: field(claimsIn(field(document, 'data.signedTransactionInfo')), 'originalTransactionId'),
        occurredAt: fromUnixMilliseconds(field(document, 'signedDate')),
      }
    },
    successStatus: '200 to 206',
    retryHours: 157,
    retrySchedule: '1, 12, 24, 48 and 72 hours after the attempt before; in the sandbox never',
    sending: {
      pausesSeconds: [3_600, 43_200, 86_400, 172_800, 259_200],
      successes: [200, 201, 202, 203, 204, 205, 206],
    },
    confidence: 'executed',
    uncertain: ['how long it waits for an answer'],
    weaknesses: ['Nobody asks Apple whether a certificate was revoked.'],
    surprises: [
      'The proof is a chain of three certificates inside the body: only its root is pinned.',
      'Handlers get the decoded notification; "signedTransactionInfo" and "signedRenewalInfo" in it are signed texts of their own, and are covered by the signature around them.',
      'One root signs for all apps: "bundleId" says which are yours.',
    ],
    ownOptions: {
      bundleId: 'the app’s bundle id; without it, notifications of any app are taken',
      environment: 'Production or Sandbox; without it, both are taken',
      appAppleId: 'the app’s numeric id, which is compared in production',
    },
    mistakes: mistakesIn(options),
    warnings: options.bundleId === undefined && options.unverified !== true ? [anyApp] : [],
    compose: ({ id = freshUuid(), type = 'DID_RENEW', payload }) => {
      const [notificationType, subtype] = type.split('.')
      const { bundleId = 'com.example', environment = 'Sandbox', appAppleId } = options
      const data = {
        bundleId,
        bundleVersion: '1.2.3',
        environment,
        ...(appAppleId === undefined ? {} : { appAppleId }),
      }
      return jsonEvent({
        notificationType,
        ...(subtype === undefined ? {} : { subtype }),
        version: '2.0',
        ...payload,
        notificationUUID: id,
        data: { ...data, ...(payload?.data as object | undefined) },
      })
    },
  }))

const anyApp = 'notifications of any app are believed, because Apple signs them all with one root: give "bundleId".'

/** Where the app stands in a notification; it has exactly one of these. */
const places = ['data', 'summary', 'externalPurchaseToken', 'appData']

function doubtAbout(
  claims: Readonly<Record<string, unknown>>,
  { bundleId, environment, appAppleId }: AppleAppStoreV2Options,
): string | undefined {
  const app = places.map((name) => claims[name]).find(isObject)
  const given = environmentOf(app)
  if (bundleId !== undefined && field(app, 'bundleId') !== bundleId)
    return 'The notification is of another app than "bundleId".'
  if (environment !== undefined && given !== environment) return 'The notification is of another "environment".'
  const isOtherApp = appAppleId !== undefined && given === 'Production' && field(app, 'appAppleId') !== appAppleId
  return isOtherApp ? 'The notification is of another app than "appAppleId".' : undefined
}

/** A token for purchases elsewhere shows its environment in its id only. */
function environmentOf(app: unknown): unknown {
  const externalId = field(app, 'externalPurchaseId')
  if (typeof externalId !== 'string') return field(app, 'environment')
  return externalId.startsWith('SANDBOX') ? 'Sandbox' : 'Production'
}

const readDocument: ReadDocument = ({ body }, numbers) => {
  const envelope = parseJson(body, numbers)
  if (envelope.kind === 'malformed') return envelope
  const signed = field(envelope.document, 'signedPayload')
  if (typeof signed !== 'string') return { kind: 'malformed', detail: 'The body field "signedPayload" is missing.' }
  const claims = parseJson(payloadOf(signed), numbers)
  return claims.kind === 'parsed' ? claims : { ...claims, detail: `"signedPayload": ${claims.detail}` }
}

/** Only ever asked about what stands inside a payload that was verified. */
function claimsIn(signed: unknown): unknown {
  const parsed = typeof signed === 'string' ? parseJson(payloadOf(signed)) : undefined
  return parsed?.kind === 'parsed' ? parsed.document : undefined
}

function payloadOf(signed: string): Buffer {
  return Buffer.from(signed.split('.')[1] ?? '', 'base64url')
}

function mistakesIn({ bundleId, environment, appAppleId }: AppleAppStoreV2Options): readonly string[] {
  return [
    ...(bundleId?.trim() === '' ? ['"bundleId" is empty.'] : []),
    ...([undefined, 'Production', 'Sandbox'].includes(environment)
      ? []
      : ['"environment" must be "Production" or "Sandbox".']),
    ...(appAppleId === undefined || Number.isSafeInteger(appAppleId) ? [] : ['"appAppleId" must be a whole number.']),
  ]
}
