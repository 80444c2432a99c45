import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

/** Events of OpenAI. */
export const samples: ProviderSamples = {
  'response.completed': (input) => event(input, 'response.completed', { id: `resp_${input.unique}` }),
  'batch.completed': (input) => event(input, 'batch.completed', { id: `batch_${input.unique}` }),
  'fine_tuning.job.succeeded': (input) => event(input, 'fine_tuning.job.succeeded', { id: `ftjob-${input.unique}` }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return {
    id: id ?? `wh_${unique}`,
    type,
    payload: { id: `evt_${unique}`, object: 'event', created_at: secondsOf(at), type, data },
  }
}
