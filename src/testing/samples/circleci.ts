import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const project = { id: '84996744-a854-4f5e-aea3-04e2851dc1d2', name: 'web', slug: 'github/acme/web' }

/** Events of CircleCI. */
export const samples: ProviderSamples = {
  'workflow-completed': (input) => event(input, 'workflow-completed', {}),
  'job-completed': (input) =>
    event(input, 'job-completed', {
      job: { id: uuidOf(input.unique), name: 'test', status: 'success', number: 136 },
    }),
}

function event({ id, at, unique }: SampleInput, type: string, more: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      id: id ?? uuidOf(unique),
      type,
      happened_at: at.toISOString(),
      webhook: { id: 'cf8c4fdd-0587-4da1-b4ca-4846e9640af9', name: 'Sample Webhook' },
      project,
      organization: { id: 'f22b6566-597d-46d5-ba74-99ef5bb3d85c', name: 'acme' },
      workflow: { id: uuidOf(unique), name: 'build-testing', status: 'success', stopped_at: at.toISOString() },
      pipeline: { id: '1285fe1d-d3a6-44fc-8886-8979558254c4', number: 130 },
      ...more,
    },
  }
}
