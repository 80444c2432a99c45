import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

/** Pushes to Docker Hub, which knows no other event: of a moving tag, and of a version. */
export const samples: ProviderSamples = {
  push: (input) => push(input, 'latest'),
  'push-of-version': (input) => push(input, '1.4.0'),
}

/** There is no id; a given one is the name of the repository. */
function push({ id, at, unique }: SampleInput, tag: string): EventToSign {
  const repository = id ?? `acme/web-${unique.slice(0, 8)}`
  return {
    type: 'push',
    payload: {
      callback_url: 'https://registry.hub.docker.com/u/acme/web/hook/2141b5bi5i5b02bec211i4eeih0242eg11000a/',
      push_data: { pushed_at: secondsOf(at), pusher: 'acmebuilder', tag },
      repository: {
        repo_name: repository,
        name: repository.split('/')[1] ?? repository,
        namespace: 'acme',
        owner: 'acme',
        is_private: true,
        status: 'Active',
        repo_url: `https://hub.docker.com/r/${repository}`,
      },
    },
  }
}
