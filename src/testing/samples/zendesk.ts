import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Zendesk's event subscriptions. */
export const samples: ProviderSamples = {
  'zen:event-type:ticket.status_changed': (input) =>
    event(input, 'ticket', 'status_changed', {
      detail: { id: String(numberOf(input.unique)), subject: 'The parcel is lost', status: 'OPEN' },
      event: { current: 'OPEN', previous: 'NEW' },
    }),
  'zen:event-type:ticket.created': (input) =>
    event(input, 'ticket', 'created', {
      detail: { id: String(numberOf(input.unique)), subject: 'The parcel is lost', status: 'NEW' },
      event: {},
    }),
  'zen:event-type:user.created': (input) =>
    event(input, 'user', 'created', {
      detail: { id: String(numberOf(input.unique)), email: 'jenny@example.com', role: 'end-user' },
      event: {},
    }),
}

function event(
  { id, at, unique }: SampleInput,
  object: string,
  change: string,
  content: Readonly<Record<string, unknown>>,
): EventToSign {
  const type = `zen:event-type:${object}.${change}`
  return {
    type,
    payload: {
      account_id: 22129848,
      ...content,
      id: id ?? uuidOf(unique),
      subject: `zen:${object}:${numberOf(unique)}`,
      time: at.toISOString(),
      type,
      zendesk_event_version: '2022-11-06',
    },
  }
}
