import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Next-gen events of Mollie. */
export const samples: ProviderSamples = {
  'payment-link.paid': (input) =>
    event(input, 'payment-link.paid', `pl_${input.unique}`, {
      resource: 'payment-link',
      mode: 'test',
      status: 'paid',
      description: 'Fahrräder & “Zubehör”',
      amount: { value: '42.00', currency: 'EUR' },
      profileId: 'pfl_QkEhN94Ba',
      paidAt: input.at.toISOString(),
    }),
  'sales-invoice.paid': (input) =>
    event(input, 'sales-invoice.paid', `invoice_${input.unique}`, {
      resource: 'sales-invoice',
      mode: 'test',
      status: 'paid',
      totalAmount: { value: '42.00', currency: 'EUR' },
      recipientIdentifier: 'customer-1001',
    }),
}

function event(
  { id, at, unique }: SampleInput,
  type: string,
  entityId: string,
  entity: Readonly<Record<string, unknown>>,
): EventToSign {
  return {
    type,
    payload: {
      resource: 'event',
      id: id ?? `event_${unique}`,
      type,
      entityId,
      createdAt: at.toISOString(),
      _embedded: { entity: { ...entity, id: entityId } },
    },
  }
}
