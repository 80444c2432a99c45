import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Outbound messages of Salesforce; the second part of a type is the id of the message's definition. */
export const samples: ProviderSamples = {
  'Opportunity.04k5g000000XyZaAAK': (input) =>
    event(input, 'Opportunity.04k5g000000XyZaAAK', { Name: 'Größe & Søn', StageName: 'Closed Won', Amount: '4200.0' }),
  'Contact.04k5g000000XyZbAAK': (input) =>
    event(input, 'Contact.04k5g000000XyZbAAK', { LastName: 'Rosen', Email: 'jenny@example.com' }),
}

function event({ id, unique }: SampleInput, type: string, fields: Readonly<Record<string, unknown>>): EventToSign {
  const sObject = { Id: `0065g${unique.slice(0, 13)}`, ...fields }
  return { id: id ?? `04l5g${unique.slice(0, 13)}`, type, payload: { sObject } }
}
