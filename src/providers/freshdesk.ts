import { freshNumber, jsonEvent } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { token } from '../verify/schemes/token.ts'

/** Freshdesk automation rules. The secret is what you write into the rule as the custom header `X-Webhook-Secret`. https://support.freshdesk.com/support/solutions/articles/132589-using-webhooks-in-automation-rules */
export const freshdesk: (options: ProviderOptions) => Provider = defineProvider({
  name: 'freshdesk',
  title: 'Freshdesk automation webhooks',
  documentation: 'https://support.freshdesk.com/support/solutions/articles/132589-using-webhooks-in-automation-rules',
  scheme: token({ header: 'x-webhook-secret' }),
  idField: 'nothing that Freshdesk sends by itself',
  identityAdvice:
    'Freshdesk sends what the rule says and has no event id, so every delivery is a new event. ' +
    'Put the ticket’s id, the time of its last change and the triggered event into the content of the rule, and name them with ' +
    'the option "identity" (fieldsDigest) if together they never repeat.',
  identify: (incoming) => {
    const ticket = ticketOf(incoming)
    return {
      id: incoming.arrivalId,
      type: typeOf(field(ticket, 'triggered_event')),
      objectId: field(ticket, 'ticket_id'),
    }
  },
  confidence: 'unsure',
  uncertain: ['everything: the content is what the rule says', 'when it tries again (second-hand)'],
  weaknesses: ['Freshdesk signs nothing: the custom header of the rule is the only proof.'],
  surprises: [
    'The content is a template of the rule. With "triggered_event": "{{triggered_event}}" and "ticket_id": "{{ticket.id}}" ' +
      'inside "freshdesk_webhook", events have a type such as status or ticket_action.created; without them it is "ticket".',
  ],
  retryHours: 1.6,
  retrySchedule: 'After 5, 30 and 60 minutes',
  sending: { pausesSeconds: [300, 1_800, 3_600] },
  compose: ({ id, type = 'ticket_action.created', payload }) => {
    const [name = '', value] = type.split('.')
    return jsonEvent(
      payload ?? {
        freshdesk_webhook: {
          triggered_event: value === undefined ? `{${name}:{from:2,to:4}}` : `{${name}:${value}}`,
          ticket_id: id ?? String(freshNumber()),
          ticket_subject: 'Where is my order?',
          ticket_status: 'Open',
        },
      },
    )
  },
})

function ticketOf(incoming: Incoming): unknown {
  const content = incoming.isForm ? Object.fromEntries(incoming.form) : incoming.document
  return field(content, 'freshdesk_webhook') ?? content
}

/** Freshdesk writes `{status:{from:2,to:4}}` or `{ticket_action:created}`. */
function typeOf(triggered: unknown): string {
  const [, name, value] = (typeof triggered === 'string' && /^\{(\w+):(\w+)?/.exec(triggered)) || []
  return name === undefined ? 'ticket' : value === undefined ? name : `${name}.${value}`
}
