import { type Delivery, firstHeader } from '../delivery/delivery.ts'
import { readBinaryCloudEvent } from '../verify/binary-cloud-event.ts'
import { claimedCloudEvent } from '../verify/cloud-event.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { deliveryConsent } from '../verify/delivery-consent.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import { parseJson } from '../verify/json.ts'
import { oneOrMany } from '../verify/one-or-many.ts'
import type { Provider } from '../verify/provider.ts'
import type { ReadDocument } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { partsOfId } from '../verify/safe-id.ts'
import type { Scheme } from '../verify/scheme.ts'
import { token } from '../verify/schemes/token.ts'
import { queryOf } from '../verify/url.ts'

/** What CloudEvents can be told beyond the common options. */
export type CloudeventsHttpOptions = {
  /** The senders, by their `WebHook-Request-Origin`, that may ask for consent to deliver here. Default: all. */
  readonly origins?: readonly string[] | undefined
}

/** Any sender of CloudEvents over HTTP. The secret is the bearer token, in the header `Authorization` or as `?access_token=…`. https://github.com/cloudevents/spec/blob/main/cloudevents/bindings/http-protocol-binding.md */
export const cloudeventsHttp: (options: ProviderOptions & CloudeventsHttpOptions) => Provider =
  defineProvider<CloudeventsHttpOptions>(({ origins }) => ({
    name: 'cloudevents-http',
    title: 'CloudEvents over HTTP',
    documentation: 'https://github.com/cloudevents/spec/blob/main/cloudevents/bindings/http-protocol-binding.md',
    scheme: bearerOrQuery(),
    idField: '"source" and "id" of each event',
    isIdSigned: false,
    isBatch: true,
    readDocument,
    identify: ({ document }) => oneOrMany(document, claimedCloudEvent),
    methods: ['POST', 'OPTIONS'],
    handshakes: {
      before_verification: deliveryConsent({ origins }),
      after_verification: emptyBatch((document) => document),
    },
    handshakeGuide:
      'An OPTIONS with WebHook-Request-Origin, answered with WebHook-Allowed-Origin, so OPTIONS has to reach this address too.',
    successStatus: '200, 201, 202 or 204',
    // The specification wants 415 for what is not understood.
    refusalStatus: { malformed: 415 },
    confidence: 'executed',
    weaknesses: ['A token in the query ends up in logs along the way; prefer the header.'],
    surprises: [
      'An event comes in one of three modes: attributes in ce- headers, all in one JSON document, or a list of those. Handlers get the JSON form in each of them, with the content in "data".',
      'Values of ce- headers are percent-encoded.',
      'An id alone repeats between sources; source and id together are one event.',
    ],
    retrySchedule: 'Each sender decides for itself',
    sending: { successes: [200, 201, 202, 204], finalStatuses: [410, 415] },
    ownOptions: {
      origins: 'the senders (WebHook-Request-Origin) that may ask for consent to deliver here; default all',
    },
    mistakes: origins?.length === 0 ? ['"origins" is empty: nobody could get consent.'] : [],
    compose: ({ id, type, payload }, at) => {
      const [source = '/example/orders', own = id] = id?.includes(':') === true ? partsOfId(id) : []
      return jsonEvent(
        {
          specversion: '1.0',
          source,
          time: at.toISOString(),
          datacontenttype: 'application/json',
          data: { order: 'A-4711', amount: 4200 },
          ...payload,
          id: own ?? payload?.id ?? freshUuid(),
          type: type ?? payload?.type ?? 'com.example.order.paid',
        },
        { 'content-type': 'application/cloudevents+json; charset=utf-8' },
      )
    },
  }))

/** Senders choose one of the two; where both came, the header alone decides. */
function bearerOrQuery(): Scheme {
  const inHeader = token({ header: 'authorization', prefix: 'Bearer ' })
  const inQuery = token({ query: 'access_token' })
  const chosen = ({ headers, url }: Delivery): Scheme =>
    firstHeader(headers, 'authorization') === undefined && queryOf(url).has('access_token') ? inQuery : inHeader
  return {
    ...inHeader,
    describe: `${inHeader.describe}; or ${inQuery.describe}`,
    read: (delivery) => chosen(delivery).read(delivery),
  }
}

const readDocument: ReadDocument = (delivery, numbers) => {
  const contentType = firstHeader(delivery.headers, 'content-type')?.toLowerCase() ?? ''
  if (!contentType.startsWith('application/cloudevents')) return readBinaryCloudEvent(delivery, numbers)
  if (/^application\/cloudevents(?:-batch)?(?:\+json)?\s*(?:;|$)/.test(contentType)) {
    return parseJson(delivery.body, numbers)
  }
  return { kind: 'malformed', detail: 'CloudEvents are understood in JSON only.' }
}
