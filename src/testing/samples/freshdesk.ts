import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** What automation rules of Freshdesk send. */
export const samples: ProviderSamples = {
  'ticket_action.created': (input) => event(input, '{ticket_action:created}', 'Open'),
  status: (input) => event(input, '{status:{from:2,to:4}}', 'Resolved'),
  'note_type.private': (input) => event(input, '{note_type:private}', 'Open'),
}

function event({ id, unique }: SampleInput, triggered: string, status: string): EventToSign {
  return {
    payload: {
      freshdesk_webhook: {
        triggered_event: triggered,
        ticket_id: id ?? String(numberOf(unique)),
        ticket_url: 'https://example.freshdesk.com/helpdesk/tickets/11',
        ticket_subject: 'Where is my order?',
        ticket_status: status,
        ticket_priority: 'Low',
        requester_name: 'Jenny Rosen',
        requester_email: 'jenny@example.com',
      },
    },
  }
}
