import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const repository = { id: 140, name: 'webhooks', full_name: 'acme/webhooks', private: false, default_branch: 'develop' }
const sender = { id: 1, login: 'zoe', full_name: 'Zoë Müller' }

/** Events of Forgejo. */
export const samples: ProviderSamples = {
  push: (input) =>
    event(input, 'push', {
      ref: 'refs/heads/develop',
      before: '28e1879d029cb852e4844d9c718537df08844e03',
      after: input.unique.padEnd(40, '0'),
      commits: [{ id: input.unique.padEnd(40, '0'), message: 'Mend the build', timestamp: input.at.toISOString() }],
      total_commits: 1,
      pusher: sender,
    }),
  pull_request: (input) =>
    event(input, 'pull_request', {
      action: 'opened',
      number: 42,
      pull_request: { id: numberOf(input.unique), number: 42, title: 'Mend the build', state: 'open', merged: false },
    }),
  release: (input) =>
    event(input, 'release', {
      action: 'published',
      release: { id: numberOf(input.unique), tag_name: 'v1.4.0', published_at: input.at.toISOString() },
    }),
}

function event({ id, unique }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return { id: id ?? uuidOf(unique), type, payload: { ...payload, repository, sender } }
}
