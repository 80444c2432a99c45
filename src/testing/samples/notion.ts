import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const parent = { id: '13950b26-c203-4f3b-b97d-93ec06319565', type: 'space' }

/** Events of Notion. */
export const samples: ProviderSamples = {
  'page.content_updated': (input) =>
    event(input, 'page.content_updated', 'page', {
      updated_blocks: [{ id: '153104cd-477e-80ec-a87d-f7ff0236d35c', type: 'block' }],
      parent,
    }),
  'page.properties_updated': (input) =>
    event(input, 'page.properties_updated', 'page', { updated_properties: ['XGe%40'], parent }),
  'comment.created': (input) =>
    event(input, 'comment.created', 'comment', { page_id: '153104cd-477e-809d-8dc4-ff2d96ae3090', parent }),
}

function event(
  { id, at, unique }: SampleInput,
  type: string,
  entity: string,
  data: Readonly<Record<string, unknown>>,
): EventToSign {
  return {
    type,
    payload: {
      id: id ?? uuidOf(unique),
      timestamp: at.toISOString(),
      workspace_id: '13950b26-c203-4f3b-b97d-93ec06319565',
      workspace_name: 'Quality',
      subscription_id: '29d75c0d-5546-4414-8459-7b7a92f1fc4b',
      integration_id: '0ef2e755-4912-8096-91c1-00376a88a5ca',
      type,
      authors: [{ id: 'c7c11cca-1d73-471d-9b6e-bdef51470190', type: 'person' }],
      accessible_by: [],
      attempt_number: 1,
      api_version: '2026-03-11',
      entity: { id: '153104cd-477e-809d-8dc4-ff2d96ae3090', type: entity },
      data,
    },
  }
}
