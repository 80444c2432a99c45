import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of Auth0 Event Streams. */
export const samples: ProviderSamples = {
  'user.created': (input) => event(input, 'user.created', { email_verified: false }),
  'user.updated': (input) => event(input, 'user.updated', { email_verified: true }),
  'user.deleted': (input) => event(input, 'user.deleted', { deleted_at: input.at.toISOString() }),
}

function event({ id, at, unique }: SampleInput, type: string, user: Readonly<Record<string, unknown>>): EventToSign {
  const time = at.toISOString()
  return {
    type,
    payload: {
      id: id ?? `evt_${unique}`,
      source: 'urn:auth0:example.users',
      specversion: '1.0',
      type,
      time,
      data: {
        object: {
          user_id: `auth0|${unique}`,
          email: 'jenny@example.com',
          name: 'Jenny Rosen',
          created_at: time,
          updated_at: time,
          identities: [{ connection: 'Username-Password-Authentication', provider: 'auth0', user_id: unique }],
          ...user,
        },
      },
      a0tenant: 'example',
      a0stream: 'est_8of6RXoM1997qikH7NS11h',
    },
  }
}
