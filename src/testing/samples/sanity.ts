import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Changes of documents in Sanity. */
export const samples: ProviderSamples = {
  update: (input) => change(input, 'update'),
  create: (input) => change(input, 'create'),
  delete: (input) => change(input, 'delete'),
}

function change({ id, at, unique }: SampleInput, operation: string): EventToSign {
  return {
    id: id ?? uuidOf(unique),
    type: operation,
    payload: {
      _id: uuidOf(unique),
      _type: 'post',
      _rev: unique.slice(0, 22),
      _createdAt: '2026-11-14T08:00:00Z',
      _updatedAt: at.toISOString(),
      title: 'Ünïcode',
      slug: { _type: 'slug', current: 'unicode' },
    },
  }
}
