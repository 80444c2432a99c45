import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** JSON events of Recurly. */
export const samples: ProviderSamples = {
  'subscription.created': (input) => event(input, 'subscription', 'created', { account_code: 'customer-1001' }),
  'charge_invoice.paid': (input) => event(input, 'charge_invoice', 'paid', { invoice_number: '1001' }),
  'account.updated': (input) => event(input, 'account', 'updated', { account_code: 'customer-1001' }),
}

function event(
  { id, at, unique }: SampleInput,
  object: string,
  action: string,
  identifiers: Readonly<Record<string, unknown>>,
): EventToSign {
  return {
    type: `${object}.${action}`,
    payload: {
      id: id ?? unique.slice(0, 12),
      object_type: object,
      site_id: 'qn7r1p3z5k2m',
      event_type: action,
      event_time: at.toISOString(),
      ...identifiers,
    },
  }
}
