import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const project = {
  id: 15,
  name: 'Diaspora',
  web_url: 'https://gitlab.example.com/mike/diaspora',
  path_with_namespace: 'mike/diaspora',
  default_branch: 'main',
}
const user = { id: 4, name: 'Jörg Smith', username: 'jsmith' }

/** Events of GitLab. */
export const samples: ProviderSamples = {
  'Push Hook': (input) => {
    const commit = input.unique.padEnd(40, '0')
    return event(input, 'Push Hook', {
      object_kind: 'push',
      event_name: 'push',
      before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
      after: commit,
      checkout_sha: commit,
      ref: 'refs/heads/main',
      user_username: 'jsmith',
      commits: [{ id: commit, message: 'Mend the build', timestamp: input.at.toISOString() }],
      total_commits_count: 1,
    })
  },
  'Merge Request Hook': (input) =>
    event(input, 'Merge Request Hook', {
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user,
      object_attributes: {
        id: numberOf(input.unique),
        iid: 12,
        title: 'Mend the build',
        state: 'merged',
        action: 'merge',
        source_branch: 'mend',
        target_branch: 'main',
        updated_at: input.at.toISOString(),
      },
    }),
  'Pipeline Hook': (input) =>
    event(input, 'Pipeline Hook', {
      object_kind: 'pipeline',
      user,
      object_attributes: { id: numberOf(input.unique), ref: 'main', status: 'success', duration: 63 },
    }),
}

function event({ id, unique }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return { id: id ?? uuidOf(unique), type, payload: { ...payload, project } }
}
