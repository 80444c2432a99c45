import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const user = { accountId: '99:27935d01', displayName: 'Bryan Röllins', active: true }
const fields = {
  summary: 'Größe falsch berechnet',
  labels: ['UI'],
  priority: { name: 'Major' },
  status: { name: 'In Progress' },
}

/** Events of Jira Cloud. */
export const samples: ProviderSamples = {
  'jira:issue_updated': (input) =>
    event(input, 'jira:issue_updated', {
      issue_event_type_name: 'issue_generic',
      changelog: {
        id: String(numberOf(input.unique)),
        items: [{ field: 'status', fromString: 'To Do', toString: 'In Progress' }],
      },
    }),
  'jira:issue_created': (input) => event(input, 'jira:issue_created', { issue_event_type_name: 'issue_created' }),
  comment_created: (input) =>
    event(input, 'comment_created', {
      comment: { id: String(numberOf(input.unique)), body: 'Seen on my machine too.', author: user },
    }),
}

function event({ id, at, unique }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return {
    id: id ?? uuidOf(unique),
    type,
    payload: { timestamp: at.getTime(), user, issue: { id: '99291', key: 'JRA-20002', fields }, ...payload },
  }
}
