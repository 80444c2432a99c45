import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Requests of Xero with one event each. */
export const samples: ProviderSamples = {
  'INVOICE.UPDATE': (input) => request(input, 'INVOICE', 'UPDATE', 'Invoices'),
  'INVOICE.CREATE': (input) => request(input, 'INVOICE', 'CREATE', 'Invoices'),
  'CONTACT.CREATE': (input) => request(input, 'CONTACT', 'CREATE', 'Contacts'),
}

function request({ id, at, unique }: SampleInput, category: string, action: string, path: string): EventToSign {
  const resourceId = id ?? uuidOf(unique)
  const event = {
    resourceUrl: `https://api.xero.com/api.xro/2.0/${path}/${resourceId}`,
    resourceId,
    eventDateUtc: at.toISOString().replace('Z', ''),
    eventType: action,
    eventCategory: category,
    tenantId: 'c2cc9b6e-9458-4c7d-93cc-f02b81b0594f',
    tenantType: 'ORGANISATION',
  }
  return {
    type: `${category}.${action}`,
    payload: { events: [event], firstEventSequence: 11, lastEventSequence: 11, entropy: 'S0m3r4Nd0mt3xt' },
  }
}
