import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

const space = { sys: { type: 'Link', linkType: 'Space', id: 'cfexampleapi' } }
const environment = { sys: { type: 'Link', linkType: 'Environment', id: 'master' } }

/** Events of Contentful. */
export const samples: ProviderSamples = {
  'ContentManagement.Entry.publish': (input) =>
    event(input, 'ContentManagement.Entry.publish', 'Entry', { fields: { title: { 'de-DE': 'Größen & Farben' } } }),
  'ContentManagement.Entry.unpublish': (input) => event(input, 'ContentManagement.Entry.unpublish', 'DeletedEntry', {}),
  'ContentManagement.Asset.publish': (input) =>
    event(input, 'ContentManagement.Asset.publish', 'Asset', {
      fields: { file: { 'de-DE': { contentType: 'image/png', fileName: 'größe.png' } } },
    }),
}

function event(
  { id, at, unique }: SampleInput,
  type: string,
  kind: string,
  content: Readonly<Record<string, unknown>>,
): EventToSign {
  const sys = { id: unique, type: kind, space, environment, revision: 3, updatedAt: at.toISOString() }
  return { id: id ?? unique.padEnd(64, '0'), type, payload: { sys, ...content } }
}
