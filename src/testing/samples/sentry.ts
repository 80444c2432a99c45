import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

const project = { id: '112313123123134', name: 'checkout', slug: 'checkout', platform: 'python' }

/** Events of Sentry. */
export const samples: ProviderSamples = {
  'issue.created': (input) => event('issue.created', { issue: issue(input, 'unresolved') }),
  'issue.resolved': (input) => event('issue.resolved', { issue: issue(input, 'resolved'), resolution_type: 'now' }),
  'error.created': (input) =>
    event('error.created', {
      error: {
        event_id: input.id ?? input.unique.padEnd(32, '0'),
        title: 'TypeError: nothing is not a number',
        level: 'error',
        datetime: input.at.toISOString(),
        issue_id: '1234567890',
      },
    }),
  'event_alert.triggered': (input) =>
    event('event_alert.triggered', {
      event: {
        event_id: input.id ?? input.unique.padEnd(32, '0'),
        title: 'TypeError: nothing is not a number',
        datetime: input.at.toISOString(),
      },
      triggered_rule: 'More than 10 in an hour',
    }),
}

function issue({ id, at, unique }: SampleInput, status: string): Readonly<Record<string, unknown>> {
  return {
    id: id ?? String(numberOf(unique)),
    shortId: 'CHECKOUT-Y',
    title: 'TypeError: nothing is not a number',
    level: 'error',
    status,
    project,
    firstSeen: at.toISOString(),
    count: '1',
    userCount: 0,
  }
}

function event(type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      action: type.split('.')[1],
      installation: { uuid: '24b397fc-a86e-43ef-9297-949e21b82480' },
      data,
      actor: { type: 'application', id: 'sentry', name: 'Sentry' },
    },
  }
}
