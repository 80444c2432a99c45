import { hmac } from '../verify/algorithms/hmac.ts'
import { plainTextAnswer } from '../verify/answers.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { withField } from '../verify/field-place.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { hexSecret } from '../verify/keys.ts'
import { field, isObject, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { firstOf } from '../verify/schemes/first-of.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'
import { type SignedPart, signaturesInBody } from '../verify/schemes/signatures-in-body.ts'

const itemPath = 'NotificationRequestItem'
const signaturePath = `${itemPath}.additionalData.hmacSignature`

/** Adyen payment and platform webhooks. The secret is the HMAC key of the webhook, in hex. https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures */
export const adyen: (options: ProviderOptions) => Provider = defineProvider({
  name: 'adyen',
  title: 'Adyen',
  documentation: 'https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures',
  scheme: firstOf([
    signaturesInBody({
      describe: 'HMAC-SHA256 over eight fields of each item in "additionalData.hmacSignature"',
      partsOf: (document) => listAt(document, 'notificationItems').map(signedItem),
      withSignatures,
      proofPaths: [`notificationItems[*].${signaturePath}`],
      secret: hexSecret,
      weaknesses: [
        'Of a payment webhook only eight fields of each item are signed: "eventDate", "reason" and the rest of "additionalData" can be changed unseen.',
      ],
    }),
    signature({
      header: 'hmacsignature',
      format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
      secret: hexSecret,
    }),
  ]),
  idField: '"eventCode", "pspReference" and "success" of each item; for platform webhooks "type" and "eventId"',
  isIdSigned: true,
  isBatch: true,
  order: 'not_guaranteed',
  identify: ({ document }) =>
    isObject(document) && 'notificationItems' in document
      ? listAt(document, 'notificationItems').map(claimedItem)
      : claimedPlatformEvent(document),
  // Older set-ups take only this text for success; newer ones look at the status alone.
  answer: () => plainTextAnswer('[accepted]'),
  successStatus: '200 or 202; older set-ups need the body [accepted]',
  retryHours: 720,
  retrySchedule:
    'after 2, 5, 10, 15 and 30 minutes, then 1, 2, 4 and 8 hours and so on, for 30 days; the oldest first, the others wait behind it',
  sending: {
    pausesSeconds: [120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800],
    goesOn: true,
    successes: [200, 202],
    leftOut: ['The oldest event is retried first, and the others wait behind it.'],
  },
  deadlineSeconds: 10,
  confidence: 'executed',
  uncertain: [
    'that duplicates share "eventCode" and "pspReference" (second-hand)',
    'whether JSON ever holds more than one item',
    'the ids of platform webhooks',
  ],
  surprises: [
    'The signature is in the body, one for each item, and not over the bytes.',
    'A refused webhook holds up all that wait behind it at the same address.',
    'A duplicate may have another "eventDate"; one whose "success" differs is taken for another event.',
    'After a change of the key the old one is used for a while: give both.',
  ],
  compose: ({ id, type, payload }, at) => {
    const [eventCode = 'AUTHORISATION', reference, success = 'true'] = id === undefined ? [type] : partsOfId(id)
    const item = {
      amount: { currency: 'EUR', value: 1130 },
      eventCode: reference === undefined ? (type ?? 'AUTHORISATION') : eventCode,
      eventDate: at.toISOString(),
      merchantAccountCode: 'TestMerchant',
      merchantReference: 'order-1001',
      paymentMethod: 'visa',
      pspReference: reference ?? id ?? freshId().slice(0, 16).toUpperCase(),
      success,
      ...payload,
    }
    return jsonEvent(
      { live: 'false', notificationItems: [{ [itemPath]: item }] },
      { 'user-agent': 'Adyen HttpClient 1.0' },
    )
  },
})

const signedNames = [
  'pspReference',
  'originalReference',
  'merchantAccountCode',
  'merchantReference',
  'amount.value',
  'amount.currency',
  'eventCode',
  'success',
]

function signedItem(entry: unknown): SignedPart {
  const values = signedNames.map((name) => field(entry, `${itemPath}.${name}`) ?? '')
  return {
    algorithm: hmac('sha256'),
    signature: field(entry, signaturePath),
    contents: [[values.map(textOf).join(':')]],
  }
}

function textOf(value: unknown): string {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : ''
}

function withSignatures(document: unknown, signatures: readonly string[]): unknown {
  const items = listAt(document, 'notificationItems').map((entry, index) =>
    isObject(entry) ? withField(entry, signaturePath, signatures[index]) : entry,
  )
  return { ...(document as object), notificationItems: items }
}

/** What comes again has the same code and reference. A changed outcome is a change that must not be lost. */
function claimedItem(entry: unknown, index: number): ClaimedEvent {
  const item = field(entry, itemPath)
  const [eventCode, reference, success, original] = ['eventCode', 'pspReference', 'success', 'originalReference'].map(
    (name) => field(item, name),
  )
  return {
    id: compositeId([eventCode, reference, textOf(success)]),
    type: eventCode,
    objectId: original === undefined || original === '' ? reference : original,
    occurredAt: fromDateText(field(item, 'eventDate')),
    part: `/notificationItems/${index}/${itemPath}`,
  }
}

/** Of the platform's events some have an id; the others are told apart by their time and content, both signed. */
function claimedPlatformEvent(document: unknown): ClaimedEvent {
  const [type, data] = [field(document, 'type'), field(document, 'data')]
  const time = field(document, 'timestamp') ?? field(document, 'createdAt')
  const eventId = field(document, 'eventId') ?? field(data, 'eventId')
  return {
    id: data === undefined ? undefined : compositeId([type, eventId ?? digestOf([time, data])]),
    type,
    objectId: field(data, 'id') ?? field(data, 'accountHolder.id') ?? field(data, 'balanceAccount.id'),
    occurredAt: fromDateText(time),
  }
}
