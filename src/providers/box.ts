import { firstHeader } from '../delivery/delivery.ts'
import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { decodeUtf8 } from '../verify/json.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { refuse, type Scheme, withHeaders } from '../verify/scheme.ts'
import { alsoSignedAs } from '../verify/schemes/also-signed-as.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Box webhooks of version 2. The secret is the app's primary signature key; give the secondary one too. https://developer.box.com/guides/webhooks/v2/ */
export const box: (options: ProviderOptions) => Provider = defineProvider({
  name: 'box',
  title: 'Box',
  documentation: 'https://developer.box.com/guides/webhooks/v2/',
  // Box has one header for each of two keys. Either key is yours, so each may sign in either header.
  scheme: inVersion1(
    alsoSignedAs(
      signature({
        header: ['box-signature-primary', 'box-signature-secondary'],
        whichHeader: 'any',
        format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
        over: '{body}{timestamp}',
        timestampHeader: 'box-delivery-timestamp',
        timestampUnit: 'iso8601',
        toleranceSeconds: 600,
      }),
      ({ body }) => escaped(body),
    ),
  ),
  idField: 'the body field "id"',
  isIdSigned: true,
  confidence: 'executed',
  surprises: [
    'The header box-delivery-id is new with every attempt, so it does not tell events apart. The id in the body stays.',
    'The time comes after the body in what is signed, and is written with an offset, such as 2020-01-01T00:00:00-07:00.',
    'Box’s own library refuses any time in the future, even by a second. Here a clock may be off in both directions.',
  ],
  reads: ['id', 'trigger', 'source.id', 'created_at'],
  identify: ({ headers, document }) => ({
    id: field(document, 'id'),
    type: field(document, 'trigger'),
    deliveryId: headers.get('box-delivery-id'),
    objectId: field(document, 'source.id'),
    occurredAt: fromDateText(field(document, 'created_at')),
  }),
  retryHours: 2,
  retrySchedule: 'up to 12 times within 2 hours',
  sending: { retries: 12 },
  deadlineSeconds: 30,
  compose: ({ id, type, payload }, at) =>
    jsonEvent(
      {
        type: 'webhook_event',
        webhook: { id: '53', type: 'webhook' },
        created_by: { id: '226067247', type: 'user', name: 'Jenny Rosen' },
        created_at: at.toISOString(),
        source: { id: '73835521473', type: 'file', name: 'Contract.pdf' },
        ...payload,
        id: id ?? payload?.id ?? freshUuid(),
        trigger: type ?? payload?.trigger ?? 'FILE.UPLOADED',
      },
      { 'box-delivery-id': freshUuid() },
    ),
})

/** A signature of another version or algorithm would mean something else. */
function inVersion1(scheme: Scheme): Scheme {
  const announced = { 'box-signature-version': '1', 'box-signature-algorithm': 'HmacSHA256' }
  return {
    ...scheme,
    headers: [...scheme.headers, ...Object.keys(announced)],
    read: (delivery) => {
      const proof = scheme.read(delivery)
      const isKnown = Object.entries(announced).every(([name, value]) => firstHeader(delivery.headers, name) === value)
      return proof.kind === 'forged' || isKnown ? proof : refuse('signature_malformed')
    },
    sign: (delivery, key, at) => withHeaders(scheme.sign(delivery, key, at), announced),
  }
}

/** Box signs the JSON with everything beyond ASCII and every slash escaped; its library also takes a body that lost this. */
function escaped(body: Uint8Array): { readonly body: Uint8Array } | undefined {
  const text = decodeUtf8(body)
  const spelled = text
    ?.replaceAll(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll(/(?<!\\)\//g, '\\/')
  return spelled === undefined || spelled === text ? undefined : { body: Buffer.from(spelled, 'utf8') }
}
