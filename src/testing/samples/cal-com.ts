import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of Cal.com. */
export const samples: ProviderSamples = {
  BOOKING_CREATED: (input) => event(input, 'BOOKING_CREATED', { ...booking(input), status: 'ACCEPTED' }),
  BOOKING_RESCHEDULED: (input) =>
    event(input, 'BOOKING_RESCHEDULED', {
      ...booking(input),
      status: 'ACCEPTED',
      rescheduleUid: 'bFJeNb2uX8ANpT3JL5EfXw',
    }),
  BOOKING_CANCELLED: (input) =>
    event(input, 'BOOKING_CANCELLED', { ...booking(input), status: 'CANCELLED', cancellationReason: 'Ill' }),
  FORM_SUBMITTED: (input) =>
    event(input, 'FORM_SUBMITTED', {
      formId: input.id ?? input.unique,
      formName: 'Who should call you?',
      responses: { city: { label: 'City', value: 'Köln' } },
    }),
}

function booking({ id, at, unique }: SampleInput): Readonly<Record<string, unknown>> {
  return {
    type: '60min',
    title: '60min between Zoë and Jenny',
    startTime: at.toISOString(),
    organizer: { id: 5, name: 'Zoë', email: 'zoe@example.com', timeZone: 'Europe/Berlin' },
    attendees: [{ name: 'Jenny', email: 'jenny@example.com', timeZone: 'Europe/Berlin' }],
    uid: id ?? unique,
  }
}

function event({ at }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return { type, payload: { triggerEvent: type, createdAt: at.toISOString(), payload } }
}
