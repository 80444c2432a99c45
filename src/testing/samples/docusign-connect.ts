import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const accountId = '1703061c-9b0e-4b0e-8c3f-0d8e9c6d9d11'

/** Events of DocuSign Connect. */
export const samples: ProviderSamples = {
  'envelope-completed': (input) =>
    event(input, 'envelope-completed', {
      envelopeSummary: {
        status: 'completed',
        emailSubject: 'Please sign: lease “Größe L”',
        completedDateTime: input.at.toISOString(),
      },
    }),
  'envelope-sent': (input) =>
    event(input, 'envelope-sent', {
      envelopeSummary: { status: 'sent', emailSubject: 'Please sign: lease', sentDateTime: input.at.toISOString() },
    }),
  'recipient-completed': (input) => event(input, 'recipient-completed', { recipientId: '1' }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  const envelopeId = id ?? uuidOf(unique)
  return {
    type,
    payload: {
      event: type,
      apiVersion: 'v2.1',
      uri: `/restapi/v2.1/accounts/${accountId}/envelopes/${envelopeId}`,
      retryCount: 0,
      configurationId: 10566638,
      generatedDateTime: at.toISOString(),
      data: { accountId, userId: 'a8a8f8f0-77f7-4f7c-8b8c-1c1c1c1c1c1c', envelopeId, ...data },
    },
  }
}
