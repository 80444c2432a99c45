import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput } from './sample.ts'

/** Notifications of Netlify. */
export const samples: ProviderSamples = {
  ready: (input) =>
    deploy(input, 'ready', { title: 'Mend the build', deploy_time: 42, published_at: input.at.toISOString() }),
  error: (input) => deploy(input, 'error', { error_message: 'Build script returned non-zero exit code: 2' }),
}

function deploy(
  { id, at, unique }: SampleInput,
  state: string,
  fields: Readonly<Record<string, unknown>>,
): EventToSign {
  return {
    ...(id === undefined ? {} : { id }),
    type: state,
    payload: {
      ...(id === undefined ? { id: unique, state, updated_at: at.toISOString() } : {}),
      commit_ref: unique.padEnd(40, '0'),
      created_at: at.toISOString(),
      ...fields,
    },
  }
}
