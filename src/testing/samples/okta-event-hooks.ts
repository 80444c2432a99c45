import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const actor = { id: '00u1qw6mqitPHM8AJ0g7', type: 'User', alternateId: 'jenny@example.com', displayName: 'Jenny Rosen' }

/** Events of Okta. */
export const samples: ProviderSamples = {
  'user.session.start': (input) => event(input, 'user.session.start', 'User login to Okta', []),
  'user.lifecycle.create': (input) =>
    event(input, 'user.lifecycle.create', 'Create Okta user', [
      { id: `00u${input.unique.slice(0, 17)}`, type: 'User' },
    ]),
  'user.lifecycle.deactivate': (input) =>
    event(input, 'user.lifecycle.deactivate', 'Deactivate Okta user', [
      { id: `00u${input.unique.slice(0, 17)}`, type: 'User' },
    ]),
}

function event(
  { id, at, unique }: SampleInput,
  type: string,
  displayMessage: string,
  target: readonly unknown[],
): EventToSign {
  const uuid = id ?? uuidOf(unique)
  return {
    payload: {
      eventId: uuidOf(`e${unique}`),
      eventTime: at.toISOString(),
      contentType: 'application/json',
      data: {
        events: [
          {
            uuid,
            published: at.toISOString(),
            eventType: type,
            version: '0',
            severity: 'INFO',
            displayMessage,
            actor,
            outcome: { result: 'SUCCESS' },
            target,
          },
        ],
      },
    },
  }
}
