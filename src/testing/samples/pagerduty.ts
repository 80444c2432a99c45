import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of PagerDuty. */
export const samples: ProviderSamples = {
  'incident.triggered': (input) => event(input, 'incident.triggered', { status: 'triggered' }),
  'incident.acknowledged': (input) => event(input, 'incident.acknowledged', { status: 'acknowledged' }),
  'incident.resolved': (input) => event(input, 'incident.resolved', { status: 'resolved', resolve_reason: null }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      event: {
        id: id ?? uuidOf(unique),
        event_type: type,
        resource_type: 'incident',
        occurred_at: at.toISOString(),
        agent: { id: 'PLH1HKV', summary: 'Tenéx Engineer', type: 'user_reference' },
        client: { name: 'PagerDuty' },
        data: {
          id: `P${unique.slice(0, 6).toUpperCase()}`,
          type: 'incident',
          number: 2,
          title: 'The database answers after 2 s',
          service: { id: 'PF9KMXH', summary: 'API Service', type: 'service_reference' },
          urgency: 'high',
          ...data,
        },
      },
    },
  }
}
