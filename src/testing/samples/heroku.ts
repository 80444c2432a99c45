import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const app = { id: 'd2f24bd2-399a-4868-9467-bc0ba2411cc2', name: 'acme-web' }
const actor = { id: '33500732-3b64-436f-9710-64cc569c3e4f', email: 'dev@example.com' }

/** Events of Heroku. */
export const samples: ProviderSamples = {
  'api:release.create': (input) =>
    event(input, 'api:release.create', { version: 117, description: 'Deploy 7ab3c1', status: 'pending' }),
  'api:release.update': (input) =>
    event(input, 'api:release.update', { version: 117, description: 'Deploy 7ab3c1', status: 'succeeded' }),
  'api:build.update': (input) => event(input, 'api:build.update', { status: 'succeeded', stack: 'heroku-24' }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return {
    id: id ?? uuidOf(unique),
    type,
    payload: {
      created_at: at.toISOString(),
      published_at: at.toISOString(),
      resource: type.replace(/^api:|\..*$/g, ''),
      data: { id: uuidOf(unique), ...data, app },
      previous_data: {},
      actor,
      webhook_metadata: {
        attempt: { id: uuidOf(`${unique}a`) },
        delivery: { id: uuidOf(`${unique}d`) },
      },
    },
  }
}
