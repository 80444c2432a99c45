import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of WorkOS. */
export const samples: ProviderSamples = {
  'user.created': (input) =>
    event(input, 'user.created', {
      object: 'user',
      id: `user_${input.unique}`,
      email: 'jenny@example.com',
      first_name: 'Jenny',
      last_name: 'Rosen',
      email_verified: true,
    }),
  'dsync.user.updated': (input) =>
    event(input, 'dsync.user.updated', {
      object: 'directory_user',
      id: `directory_user_${input.unique}`,
      directory_id: 'directory_01ECAZ4NV9QMV47GW873HDCX74',
      state: 'active',
      emails: [{ primary: true, value: 'jenny@example.com' }],
    }),
  'connection.activated': (input) =>
    event(input, 'connection.activated', {
      object: 'connection',
      id: `conn_${input.unique}`,
      organization_id: 'org_01EHWNCE74X7JSDV0X3SZ3KJNY',
      connection_type: 'OktaSAML',
      state: 'active',
    }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return { payload: { id: id ?? `event_${unique}`, event: type, data, created_at: at.toISOString() } }
}
