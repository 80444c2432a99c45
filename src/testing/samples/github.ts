import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const repository = {
  id: 1296269,
  name: 'hello-world',
  full_name: 'octo-org/hello-world',
  private: false,
  default_branch: 'main',
}
const sender = { id: 21031067, login: 'octocat', type: 'User' }

/** Events of GitHub. */
export const samples: ProviderSamples = {
  push: (input) =>
    event(input, 'push', {
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      after: input.unique.padEnd(40, '0'),
      commits: [{ id: input.unique.padEnd(40, '0'), message: 'Mend the build', timestamp: input.at.toISOString() }],
      pusher: { name: 'octocat' },
    }),
  issues: (input) =>
    event(input, 'issues', {
      action: 'opened',
      issue: {
        id: numberOf(input.unique),
        number: 1347,
        title: 'The build is red',
        state: 'open',
        created_at: input.at.toISOString(),
      },
    }),
  pull_request: (input) =>
    event(input, 'pull_request', {
      action: 'closed',
      number: 42,
      pull_request: {
        id: numberOf(input.unique),
        number: 42,
        merged: true,
        merged_at: input.at.toISOString(),
        title: 'Mend the build',
      },
    }),
  ping: (input) => event(input, 'ping', { zen: 'Keep it logically awesome.', hook_id: 292430182 }),
}

function event({ id, unique }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return { id: id ?? `292430182:${uuidOf(unique)}`, type, payload: { ...payload, repository, sender } }
}
