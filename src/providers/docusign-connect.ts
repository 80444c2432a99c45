import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** DocuSign Connect in the format JSON SIM. The secret is one of the account's Connect keys. https://developers.docusign.com/platform/webhooks/connect/hmac */
export const docusignConnect: (options: ProviderOptions) => Provider = defineProvider({
  name: 'docusign-connect',
  title: 'DocuSign Connect',
  documentation: 'https://developers.docusign.com/platform/webhooks/connect/hmac',
  // One header for each active key of the account, of which there can be a hundred.
  scheme: signature({
    header: Array.from({ length: 100 }, (_, index) => `x-docusign-signature-${index + 1}`),
    whichHeader: 'any',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
  }),
  idField: 'event, data.envelopeId, data.recipientId and generatedDateTime',
  isIdSigned: true,
  confidence: 'documents',
  uncertain: [
    'how it signs (second-hand)',
    'where the fields of the body are (from memory)',
    'whether generatedDateTime stays the same on a retry',
    'how long it tries again, and how long it waits for an answer',
  ],
  surprises: [
    'Every active key of the account signs, each in a header of its own; one that matches is enough.',
    'There is no id of an event, and retryCount makes the bytes of each attempt new.',
    'Aggregate messages tell the state at the time of sending and can skip what came between. XML messages are refused: choose JSON SIM.',
    'A message that failed waits until some later one succeeds, so an address that was down for long is not caught up with at once.',
  ],
  // An event about the whole envelope has no recipient.
  reads: ['event', 'data.envelopeId', 'data.recipientId', 'generatedDateTime'],
  identify: ({ document }) => {
    const [type, envelope, at] = ['event', 'data.envelopeId', 'generatedDateTime'].map((path) => field(document, path))
    return {
      id: compositeId([type, envelope, field(document, 'data.recipientId') ?? '-', at]),
      type,
      objectId: envelope,
      occurredAt: fromDateText(at),
    }
  },
  retrySchedule:
    'if the configuration requires acknowledgement: after the next success, then at least 24 hours apart, ten times at most',
  sending: {
    pausesSeconds: [86_400],
    retries: 10,
    growth: 1,
    isSecondHand: true,
    leftOut: ['A retry also waits for another message that succeeds.'],
  },
  compose: ({ id, type, payload }, at) => {
    const envelopeId = id ?? freshUuid()
    return jsonEvent(
      {
        apiVersion: 'v2.1',
        uri: `/restapi/v2.1/accounts/1703061c-9b0e-4b0e-8c3f-0d8e9c6d9d11/envelopes/${envelopeId}`,
        retryCount: 0,
        configurationId: 10566638,
        generatedDateTime: at.toISOString(),
        data: {
          accountId: '1703061c-9b0e-4b0e-8c3f-0d8e9c6d9d11',
          envelopeId,
          envelopeSummary: { status: 'completed', emailSubject: 'Please sign: lease' },
        },
        ...payload,
        event: type ?? payload?.event ?? 'envelope-completed',
      },
      { 'x-authorization-digest': 'HMACSHA256' },
    )
  },
})
