import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const actor = { id: 'b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba', type: 'user', name: 'Soleio Ångström' }

/** Events of Linear. */
export const samples: ProviderSamples = {
  'Issue.create': (input) =>
    event(input, 'Issue.create', {
      number: 1923,
      title: 'The pay button can be pressed twice',
      priority: 1,
      state: { name: 'Todo', type: 'unstarted' },
    }),
  'Issue.update': (input) =>
    event(
      input,
      'Issue.update',
      { number: 1923, title: 'The pay button can be pressed twice', state: { name: 'In Progress', type: 'started' } },
      { updatedFrom: { stateId: 'f0' } },
    ),
  'Comment.create': (input) =>
    event(input, 'Comment.create', {
      body: 'Seen on Größe L too.',
      issueId: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
    }),
}

function event(
  { id, at, unique }: SampleInput,
  type: string,
  data: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): EventToSign {
  const [entity, action] = type.split('.', 2)
  return {
    type,
    payload: {
      action,
      type: entity,
      actor,
      createdAt: at.toISOString(),
      data: { id: id ?? uuidOf(unique), ...data, updatedAt: at.toISOString() },
      ...more,
      organizationId: '3f53ad16-f78d-4d8c-94b2-1eb7a2d1d3bf',
      webhookId: '9d4d7f7e-0a52-4b9f-97a7-7e4c0d3f2f10',
    },
  }
}
