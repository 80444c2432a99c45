import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of Vercel. */
export const samples: ProviderSamples = {
  'deployment.succeeded': (input) => event(input, 'deployment.succeeded'),
  'deployment.error': (input) => event(input, 'deployment.error'),
  'deployment.created': (input) => event(input, 'deployment.created'),
}

function event({ id, at, unique }: SampleInput, type: string): EventToSign {
  return {
    type,
    payload: {
      id: id ?? `wbhk_${unique}`,
      createdAt: at.getTime(),
      region: 'fra1',
      payload: {
        team: { id: 'team_abc' },
        user: { id: 'usr_123' },
        deployment: {
          id: `dpl_${unique}`,
          name: 'my-project',
          url: 'my-project-abc.vercel.app',
          meta: { githubCommitMessage: 'Mend the size of “Größe L”', githubCommitRef: 'main' },
        },
        target: 'production',
        project: { id: 'prj_x' },
        plan: 'pro',
        regions: ['fra1'],
      },
    },
  }
}
