import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const pipeline = { id: '849411f9-9e6d-4739-a0d8-e247088e9b52', name: 'web', slug: 'web' }
const sender = { id: '8a7693f8-dbae-4783-9137-84090fce9045', name: 'Some Persön' }

/** Events of Buildkite. */
export const samples: ProviderSamples = {
  'build.finished': (input) =>
    event('build.finished', { build: build(input, 'passed', { finished_at: input.at.toISOString() }) }),
  'build.running': (input) => event('build.running', { build: build(input, 'running', { finished_at: null }) }),
  'job.finished': (input) =>
    event('job.finished', {
      job: {
        id: input.id ?? uuidOf(input.unique),
        type: 'script',
        name: 'Tests',
        state: 'passed',
        exit_status: 0,
        finished_at: input.at.toISOString(),
      },
      build: build({ ...input, id: undefined }, 'running', { finished_at: null }),
    }),
}

function build(
  { id, at, unique }: SampleInput,
  state: string,
  more: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return {
    id: id ?? uuidOf(unique),
    number: 1234,
    state,
    blocked: false,
    message: 'Mend the build',
    branch: 'main',
    started_at: new Date(at.getTime() - 60_000).toISOString(),
    ...more,
  }
}

function event(type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return { type, payload: { event: type, ...payload, pipeline, sender } }
}
