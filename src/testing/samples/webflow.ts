import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

const siteId = '65427cf400e02b306eaa049c'

/** Events of Webflow. */
export const samples: ProviderSamples = {
  form_submission: (input) =>
    event('form_submission', {
      name: 'Contact',
      siteId,
      data: { Name: 'Jenny Rosen', Message: 'Grüße aus Köln' },
      submittedAt: input.at.toISOString(),
      id: input.id ?? input.unique,
      formId: '65429eadebe8a9f3a30f62d0',
    }),
  collection_item_changed: (input) =>
    event('collection_item_changed', {
      id: input.id ?? input.unique,
      siteId,
      collectionId: '65429e6e42f4cd2a1c5a3e0d',
      cmsLocaleId: '653ad57de882f528b32e810e',
      lastUpdated: input.at.toISOString(),
      isDraft: false,
      fieldData: { name: 'A new lamp', slug: 'a-new-lamp' },
    }),
  ecomm_new_order: (input) => event('ecomm_new_order', order(input)),
  site_publish: (input) =>
    event('site_publish', {
      siteId: input.id ?? siteId,
      publishedOn: input.at.toISOString(),
      domains: ['example.com'],
    }),
}

function order({ id, at, unique }: SampleInput): Readonly<Record<string, unknown>> {
  return {
    orderId: id ?? unique.slice(0, 8),
    status: 'unfulfilled',
    acceptedOn: at.toISOString(),
    customerPaid: { unit: 'EUR', value: 4200, string: '€ 42.00' },
  }
}

function event(type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  return { type, payload: { triggerType: type, payload } }
}
