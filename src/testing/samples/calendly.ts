import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const meeting = 'https://api.calendly.com/scheduled_events/AAAAAAAAAAAAAAAA'

/** Events of Calendly. */
export const samples: ProviderSamples = {
  'invitee.created': (input) => event(input, 'invitee.created', { ...invitee(input), status: 'active' }),
  'invitee.canceled': (input) =>
    event(input, 'invitee.canceled', {
      ...invitee(input),
      status: 'canceled',
      cancellation: { canceled_by: 'Jenny Rosen', reason: 'Ill', canceler_type: 'invitee' },
    }),
  'routing_form_submission.created': (input) =>
    event(input, 'routing_form_submission.created', {
      uri: input.id ?? `https://api.calendly.com/routing_form_submissions/${uuidOf(input.unique)}`,
      routing_form: 'https://api.calendly.com/routing_forms/AAAAAAAAAAAAAAAA',
      questions_and_answers: [{ question: 'How many are you?', answer: '12' }],
    }),
}

function invitee({ id, unique }: SampleInput): Readonly<Record<string, unknown>> {
  return {
    uri: id ?? `${meeting}/invitees/${uuidOf(unique)}`,
    event: meeting,
    email: 'jenny@example.com',
    name: 'Jenny Rosen',
    timezone: 'Europe/Berlin',
    rescheduled: false,
    old_invitee: null,
    new_invitee: null,
    questions_and_answers: [{ position: 0, question: 'What is it about?', answer: 'The lease' }],
  }
}

function event({ at }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      created_at: at.toISOString(),
      created_by: 'https://api.calendly.com/users/AAAAAAAAAAAAAAAA',
      event: type,
      payload,
    },
  }
}
