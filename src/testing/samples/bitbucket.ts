import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const repository = { type: 'repository', full_name: 'acme/web', uuid: '{673a6070-3421-46c9-9d48-90745f7bfe8e}' }
const actor = {
  type: 'user',
  nickname: 'emile',
  display_name: 'Émile Ø',
  uuid: '{d301aafa-d676-4ee0-88be-962be7417567}',
}

/** Events of Bitbucket Cloud. */
export const samples: ProviderSamples = {
  'repo:push': (input) =>
    event(input, 'repo:push', {
      push: {
        changes: [
          {
            old: { type: 'branch', name: 'main', target: { type: 'commit', hash: '0'.repeat(40) } },
            new: {
              type: 'branch',
              name: 'main',
              target: { type: 'commit', hash: input.unique.padEnd(40, '0'), message: 'Mend the build\n' },
            },
            created: false,
            closed: false,
            forced: false,
          },
        ],
      },
    }),
  'pullrequest:fulfilled': (input) =>
    event(input, 'pullrequest:fulfilled', {
      pullrequest: {
        id: 42,
        title: 'Mend the build',
        state: 'MERGED',
        updated_on: input.at.toISOString(),
        source: { branch: { name: 'mend' } },
        destination: { branch: { name: 'main' } },
      },
    }),
}

function event({ id, unique }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return { id: id ?? uuidOf(unique), type, payload: { ...payload, repository, actor } }
}
