import { jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { withField } from '../verify/field-place.ts'
import { claimedMessage, type GooglePushOptions, googlePush, messageParts } from '../verify/google-push.ts'
import { parseJson } from '../verify/json.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ReadDocument } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { refuse, type Scheme } from '../verify/scheme.ts'

/** What Google Play can be told beyond the common options. */
export type GooglePlayRtdnOptions = GooglePushOptions & {
  /** The app's package name, such as `com.example.app`. Notifications of others are refused. Default: all are taken. */
  readonly packageName?: string | undefined
}

/** Google Play Real-time Developer Notifications, as a Pub/Sub push. The keys are fetched from Google, unless `publicKey` pins one. https://developer.android.com/google/play/billing/rtdn-reference */
export const googlePlayRtdn: (options: ProviderOptions & GooglePlayRtdnOptions) => Provider =
  defineProvider<GooglePlayRtdnOptions>((options) => {
    const push = googlePush(options)
    const { packageName } = options
    return {
      name: 'google-play-rtdn',
      title: 'Google Play',
      documentation: 'https://developer.android.com/google/play/billing/rtdn-reference',
      ...push,
      scheme: packageName === undefined ? push.scheme : onlyPackage(push.scheme, packageName),
      ownOptions: { ...push.ownOptions, packageName: 'the app’s package name; notifications of others are refused' },
      mistakes: [...(push.mistakes ?? []), ...(packageName?.trim() === '' ? ['"packageName" is empty.'] : [])],
      idField: 'the body fields "subscription" and "message.messageId"',
      readDocument,
      identify: ({ document }) => {
        const notification = field(document, 'message.data')
        const kind = kinds.find((name) => isObject(field(notification, name)))
        const detail = kind === undefined ? undefined : field(notification, kind)
        const number = field(detail, 'notificationType')
        return {
          ...claimedMessage(document),
          type: typeof number === 'number' ? `${kind}.${number}` : kind,
          objectId: field(detail, 'purchaseToken'),
          occurredAt: fromUnixMilliseconds(field(notification, 'eventTimeMillis')),
        }
      },
      successStatus: '102, 200, 201, 202 or 204',
      retrySchedule:
        'as Pub/Sub: with growing pauses until it is acknowledged or the retention of the subscription ends',
      sending: { successes: [102, 200, 201, 202, 204] },
      confidence: 'unsure',
      uncertain: [
        'the fields of a notification (remembered)',
        'how long it sends again',
        'how it signs (as Pub/Sub, remembered)',
      ],
      surprises: [
        'A notification is a signal only: read the state of the purchase from the Play Developer API.',
        'The notification comes as base64 in "message.data"; handlers get it decoded there.',
      ],
      compose: ({ id, type = 'subscriptionNotification.2', payload }, at) => {
        const { subscription, messageId } = messageParts(id)
        const [kind = '', number] = type.split('.')
        const detail = { version: '1.0', ...(number === undefined ? {} : { notificationType: Number(number) }) }
        const notification = {
          version: '1.0',
          packageName: packageName ?? 'com.example.app',
          eventTimeMillis: String(at.getTime()),
          [kind]: { ...detail, ...(kind === 'testNotification' ? {} : { purchaseToken: `token-of-${messageId}` }) },
          ...payload,
        }
        const data = Buffer.from(JSON.stringify(notification)).toString('base64')
        return jsonEvent({ subscription, message: { attributes: {}, data, messageId, publishTime: at.toISOString() } })
      },
    }
  })

const kinds = [
  'subscriptionNotification',
  'oneTimeProductNotification',
  'voidedPurchaseNotification',
  'testNotification',
]

/** The message with its data decoded. */
const readDocument: ReadDocument = ({ body }, numbers) => {
  const envelope = parseJson(body, numbers)
  if (envelope.kind === 'malformed') return envelope
  const data = field(envelope.document, 'message.data')
  if (typeof data !== 'string' || !isObject(envelope.document)) {
    return { kind: 'malformed', detail: 'The body field "message.data" is missing.' }
  }
  const notification = parseJson(Buffer.from(data, 'base64'), numbers)
  if (notification.kind === 'malformed') return { ...notification, detail: `"message.data": ${notification.detail}` }
  return { kind: 'parsed', document: withField(envelope.document, 'message.data', notification.document) }
}

function onlyPackage(scheme: Scheme, packageName: string): Scheme {
  return {
    ...scheme,
    read: (delivery) => {
      const proof = scheme.read(delivery)
      if (proof.kind === 'forged') return proof
      const read = readDocument(delivery, 'plain')
      const given = read.kind === 'parsed' ? field(read.document, 'message.data.packageName') : undefined
      if (given === packageName) return proof
      return refuse('signature_mismatch', 'The notification is not of the app in "packageName".')
    },
  }
}
