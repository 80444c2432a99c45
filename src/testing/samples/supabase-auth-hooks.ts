import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const userId = '8b7a1b7e-0c6d-4a50-9b0c-1e2a1f6f8b11'

/** Calls of Supabase Auth Hooks. */
export const samples: ProviderSamples = {
  'send-email': (input) =>
    call(input, 'send-email', {
      user: user(input),
      email_data: {
        token: '305805',
        token_hash: input.unique.padEnd(56, '0'),
        redirect_to: 'http://localhost:3000/',
        email_action_type: 'signup',
        site_url: 'http://localhost:9999',
      },
    }),
  'send-sms': (input) =>
    call(input, 'send-sms', { user: { ...user(input), phone: '15551234567' }, sms: { otp: '305805' } }),
  'password-verification': (input) => call(input, 'password-verification', { user_id: userId, valid: false }),
  'before-user-created': (input) => call(input, 'before-user-created', { user: user(input) }),
}

function user({ at }: SampleInput): Readonly<Record<string, unknown>> {
  return {
    id: userId,
    aud: 'authenticated',
    role: 'authenticated',
    email: 'jose@example.org',
    user_metadata: { full_name: 'José Ñandú' },
    created_at: at.toISOString(),
    is_anonymous: false,
  }
}

function call({ id, unique }: SampleInput, hook: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return { id: id ?? uuidOf(unique), type: hook, payload }
}
