import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const createdBy = { id: '226067247', type: 'user', name: 'Jenny Rosen', login: 'jenny@example.com' }

/** Events of Box. */
export const samples: ProviderSamples = {
  'FILE.UPLOADED': (input) =>
    event(input, 'FILE.UPLOADED', { id: '73835521473', type: 'file', name: 'Contract.pdf', size: 629644 }),
  'FOLDER.CREATED': (input) => event(input, 'FOLDER.CREATED', { id: '11446498', type: 'folder', name: 'Contracts' }),
  'COMMENT.CREATED': (input) =>
    event(input, 'COMMENT.CREATED', {
      id: '191969',
      type: 'comment',
      message: 'Please have a look',
      item: { id: '73835521473', type: 'file' },
    }),
}

function event(
  { id, at, unique }: SampleInput,
  trigger: string,
  source: Readonly<Record<string, unknown>>,
): EventToSign {
  return {
    type: trigger,
    payload: {
      type: 'webhook_event',
      id: id ?? uuidOf(unique),
      created_at: at.toISOString(),
      trigger,
      webhook: { id: '53', type: 'webhook' },
      created_by: createdBy,
      source,
      additional_info: [],
    },
  }
}
