import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of npm hooks. */
export const samples: ProviderSamples = {
  'package:publish': (input) => event(input, 'package:publish', { version: '2.4.1' }),
  'package:dist-tag': (input) => event(input, 'package:dist-tag', { 'dist-tag': 'latest', version: '2.4.1' }),
}

/** There is no id; a given one is the name of the package. */
function event({ id, at, unique }: SampleInput, type: string, change: Readonly<Record<string, unknown>>): EventToSign {
  const name = id ?? `@acme/web-${unique.slice(0, 8)}`
  return {
    type,
    payload: {
      event: type,
      name,
      type: 'package',
      version: '1.0.0',
      hookOwner: { username: 'zoe' },
      payload: { name, 'dist-tags': { latest: '2.4.1' }, description: 'Größen & Farben' },
      change,
      time: at.getTime(),
    },
  }
}
