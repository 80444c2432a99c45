import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of Figma. */
export const samples: ProviderSamples = {
  FILE_UPDATE: (input) => event(input, 'FILE_UPDATE', {}),
  FILE_COMMENT: (input) =>
    event(input, 'FILE_COMMENT', {
      comment: [{ text: 'Größe “L” bitte' }, { mention: '811724164054158337' }],
      comment_id: input.unique,
      created_at: input.at.toISOString(),
      mentions: [{ id: '811724164054158337', handle: 'Zoë' }],
    }),
  FILE_VERSION_UPDATE: (input) =>
    event(input, 'FILE_VERSION_UPDATE', { version_id: input.unique, label: 'Handed over', description: '' }),
  LIBRARY_PUBLISH: (input) =>
    event(input, 'LIBRARY_PUBLISH', {
      description: 'New buttons',
      created_components: [{ key: input.unique, name: 'Button' }],
      modified_components: [],
      deleted_components: [],
    }),
}

function event({ at, unique }: SampleInput, type: string, rest: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      timestamp: at.toISOString().replace(/\.\d+Z$/, 'Z'),
      webhook_id: '22',
      retries: 0,
      file_key: `zH${unique.slice(0, 20)}`,
      file_name: 'Buttons',
      triggered_by: { id: '813845097374535682', handle: 'Dylan' },
      ...rest,
    },
  }
}
