import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of GoCardless. */
export const samples: ProviderSamples = {
  'payments.confirmed': (input) =>
    request(input, 'payments', 'confirmed', {
      links: { payment: code(input, 'PM') },
      details: {
        origin: 'gocardless',
        cause: 'payment_confirmed',
        description: 'Enough time has passed since the payment was submitted for the banks to return an error.',
      },
    }),
  'payments.failed': (input) =>
    request(input, 'payments', 'failed', {
      links: { payment: code(input, 'PM') },
      details: {
        origin: 'bank',
        cause: 'insufficient_funds',
        scheme: 'sepa_core',
        reason_code: 'AM04',
        description: 'The customer’s account had insufficient funds to make this payment.',
      },
    }),
  'mandates.cancelled': (input) =>
    request(input, 'mandates', 'cancelled', {
      links: { mandate: code(input, 'MD') },
      details: { origin: 'bank', cause: 'bank_account_closed', scheme: 'sepa_core', reason_code: 'AC04' },
    }),
}

function request(
  input: SampleInput,
  resource: string,
  action: string,
  parts: Readonly<Record<string, unknown>>,
): EventToSign {
  const event = {
    id: input.id ?? code(input, 'EV'),
    created_at: input.at.toISOString(),
    resource_type: resource,
    action,
    ...parts,
    metadata: { order: '1001' },
  }
  return { type: `${resource}.${action}`, payload: { events: [event], meta: { webhook_id: code(input, 'WB') } } }
}

function code({ unique }: SampleInput, prefix: string): string {
  return prefix + unique.slice(0, 12).toUpperCase()
}
