import { createHash, createSecretKey } from 'node:crypto'
import { hmac } from '../verify/algorithms/hmac.ts'
import { plainTextAnswer } from '../verify/answers.ts'
import { encode } from '../verify/bytes.ts'
import { formEvent, freshId } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { readForm } from '../verify/form.ts'
import { decodeUtf8 } from '../verify/json.ts'
import type { KeyFormat } from '../verify/keys.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { Handshake, ReadDocument } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { signedFormField } from '../verify/schemes/signed-form-field.ts'
import { queryValue } from '../verify/url.ts'
import { parseXml } from '../verify/xml.ts'
import { valueOfXml, xmlOfValue } from '../verify/xml-document.ts'

const algorithm = hmac('sha1')

/** Braintree. The secret is the private key of the API, `publicKey` is the public key that names it. https://developer.paypal.com/braintree/docs/guides/webhooks/parse */
export const braintree: (options: ProviderOptions) => Provider = defineProvider(({ publicKey, unverified }) => {
  const keyNames = (Array.isArray(publicKey) ? publicKey : [publicKey]).filter((name) => typeof name === 'string')
  return {
    name: 'braintree',
    title: 'Braintree',
    documentation: 'https://developer.paypal.com/braintree/docs/guides/webhooks/parse',
    scheme: signedFormField({
      signatureField: 'bt_signature',
      contentField: 'bt_payload',
      algorithm,
      secret: digestedSecret,
      keyNames,
    }),
    idField: 'the fields "kind", "timestamp" and the id of the subject inside "bt_payload"',
    isIdSigned: true,
    order: 'not_guaranteed',
    readDocument,
    identify: ({ document }) => {
      const [kind, timestamp, subject] = ['kind', 'timestamp', 'subject'].map((name) => field(document, name))
      const [object] = isObject(subject) ? Object.values(subject) : []
      const objectId = field(object, 'id')
      return {
        id: subject === undefined ? undefined : compositeId([kind, timestamp, objectId ?? digestOf(subject)]),
        type: kind,
        objectId,
        occurredAt: fromDateText(timestamp),
      }
    },
    methods: ['POST', 'GET'],
    handshakes: { before_verification: challenge(keyNames) },
    handshakeGuide: 'a GET with bt_challenge, which is answered with its HMAC; newer documents do not speak of it',
    retryHours: 24,
    retrySchedule: 'every hour for 24 hours; in the sandbox for three',
    sending: { thenEverySeconds: 3_600 },
    deadlineSeconds: 30,
    confidence: 'executed',
    uncertain: ['whether it still asks with bt_challenge', 'whether a retry has the same bytes'],
    weaknesses: [
      'No time is checked: a delivery that was captured stays valid for ever, and only its id tells that it is old.',
    ],
    surprises: [
      'The body is a form whose field "bt_payload" is base64 of XML; handlers get it as an object with names in camel case.',
      'The key of the HMAC is the SHA-1 of the private key.',
      'There is no event id: the kind, the time and the id of the subject make one.',
    ],
    mistakes: unverified === true ? [] : nameMistakes(keyNames),
    compose: ({ id, type, payload }, at) => {
      const [kind = type, timestamp = secondsOf(at), subjectId = `sub_${freshId()}`] = partsOfGiven(id)
      const notification = {
        timestamp,
        kind: kind ?? 'subscription_charged_successfully',
        sourceMerchantId: 'integration_merchant_id',
        subject: { subscription: { id: subjectId, status: 'Active', price: '49.99' } },
        ...payload,
      }
      return formEvent({ bt_payload: wrapped(xmlOfValue('notification', notification)) })
    },
  }
})

const digestedSecret: KeyFormat = (material) => createSecretKey(createHash('sha1').update(material).digest())

/** Only short hexadecimal texts are signed for a stranger: none of them is a payload. */
function challenge([keyName]: readonly string[]): Handshake {
  return async ({ delivery: { method, url } }, keys) => {
    if (method !== 'GET') return undefined
    const [key] = await keys()
    const text = queryValue(url, 'bt_challenge') ?? ''
    if (key === undefined || keyName === undefined || !/^[a-f0-9]{20,32}$/.test(text)) {
      return { kind: 'malformed', detail: 'bt_challenge with 20 to 32 hexadecimal digits is expected.' }
    }
    return plainTextAnswer(`${keyName}|${encode(algorithm.make(key, [text]), 'hex')}`)
  }
}

const readDocument: ReadDocument = ({ body }) => {
  const payload = readForm(body).get('bt_payload') ?? ''
  const root = parseXml(decodeUtf8(Buffer.from(payload, 'base64')) ?? '')
  if (root?.name !== 'notification')
    return { kind: 'malformed', detail: 'The form field "bt_payload" holds no notification.' }
  return { kind: 'parsed', document: valueOfXml(root) }
}

function nameMistakes(names: readonly string[]): readonly string[] {
  const areNames = names.length > 0 && names.every((name) => /^[\w-]+$/.test(name))
  return areNames ? [] : ['"publicKey" is missing: give the public key of the API, which names the private key.']
}

/** An id as `identify` gives it, or that of a subject alone. */
function partsOfGiven(id: string | undefined): readonly (string | undefined)[] {
  const parts = id === undefined ? [] : partsOfId(id)
  return parts.length === 1 ? [undefined, undefined, parts[0]] : parts
}

function secondsOf(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`
}

/** Base64 in lines of 60 characters, as Ruby writes it. */
function wrapped(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('base64')
    .replaceAll(/.{1,60}/g, '$&\n')
}
