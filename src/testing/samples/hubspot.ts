import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** Events of HubSpot; each is sent as a batch of one. */
export const samples: ProviderSamples = {
  'contact.propertyChange': (input) =>
    event(input, 'contact.propertyChange', {
      subscriptionId: 25,
      objectId: 1246965,
      propertyName: 'lifecyclestage',
      propertyValue: 'customer',
    }),
  'contact.creation': (input) =>
    event(input, 'contact.creation', { subscriptionId: 22, objectId: numberOf(input.unique), changeFlag: 'NEW' }),
  'deal.propertyChange': (input) =>
    event(input, 'deal.propertyChange', {
      subscriptionId: 28,
      objectId: 55012,
      propertyName: 'dealstage',
      propertyValue: 'closedwon',
    }),
  'contact.associationChange': (input) =>
    event(input, 'contact.associationChange', {
      subscriptionId: 31,
      associationType: 'CONTACT_TO_COMPANY',
      fromObjectId: 1246965,
      toObjectId: 77002,
      associationRemoved: false,
      isPrimaryAssociation: true,
    }),
}

function event({ id, at, unique }: SampleInput, type: string, details: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      eventId: id ?? numberOf(unique),
      portalId: 33,
      appId: 1160452,
      occurredAt: at.getTime(),
      subscriptionType: type,
      attemptNumber: 0,
      changeSource: 'CRM_UI',
      sourceId: 'userId:44',
      ...details,
    },
  }
}
