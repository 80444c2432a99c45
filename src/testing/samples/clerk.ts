import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of Clerk. */
export const samples: ProviderSamples = {
  'user.created': (input) => event(input, 'user.created', user(input)),
  'user.deleted': (input) =>
    event(input, 'user.deleted', { id: `user_${input.unique}`, object: 'user', deleted: true }),
  'session.created': (input) =>
    event(input, 'session.created', {
      id: `sess_${input.unique}`,
      object: 'session',
      user_id: 'user_29wBMCtzATuFJut8jO2VNTVekS4',
      status: 'active',
      created_at: input.at.getTime(),
    }),
}

function user({ unique, at }: SampleInput): Readonly<Record<string, unknown>> {
  const address = { id: `idn_${unique}`, object: 'email_address', email_address: 'jenny@example.com' }
  return {
    id: `user_${unique}`,
    object: 'user',
    first_name: 'Jenny',
    last_name: 'Müller-Østergård',
    email_addresses: [address],
    primary_email_address_id: address.id,
    created_at: at.getTime(),
    updated_at: at.getTime(),
  }
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  const instance = { instance_id: 'ins_2g7np7Hrk0SN6kj5EDMLDaKNL0S', object: 'event' }
  return { id: id ?? `msg_${unique}`, type, payload: { data, ...instance, timestamp: at.getTime(), type } }
}
