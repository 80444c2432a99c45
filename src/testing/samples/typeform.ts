import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

const opinion = { id: 'DlXFaesGBpoF', ref: 'opinion', type: 'long_text' }

/** Responses of Typeform, whole and broken off. */
export const samples: ProviderSamples = {
  form_response: (input) =>
    event(input, 'form_response', { answers: [{ type: 'text', text: 'Well done — weiter so', field: opinion }] }),
  form_response_partial: (input) => event(input, 'form_response_partial', { answers: [] }),
}

function event(
  { id, at, unique }: SampleInput,
  type: string,
  response: Readonly<Record<string, unknown>>,
): EventToSign {
  return {
    type,
    payload: {
      event_id: id ?? `01${unique.toUpperCase()}`,
      event_type: type,
      form_response: {
        form_id: 'lT4Z3j',
        token: unique.padEnd(32, '0'),
        landed_at: at.toISOString(),
        submitted_at: at.toISOString(),
        hidden: { user_id: 'abc123456' },
        definition: { id: 'lT4Z3j', title: 'Feedback', fields: [{ ...opinion, title: 'What do you think?' }] },
        ...response,
      },
    },
  }
}
