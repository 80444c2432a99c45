import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** CloudEvents of QuickBooks Online, and one request of the format before. */
export const samples: ProviderSamples = {
  'qbo.invoice.created.v1': (input) => event(input, 'qbo.invoice.created.v1'),
  'qbo.customer.updated.v1': (input) => event(input, 'qbo.customer.updated.v1'),
  'Invoice.Create': ({ id, at, unique }) => ({
    type: 'Invoice.Create',
    body: JSON.stringify({
      eventNotifications: [
        {
          realmId: '310687',
          dataChangeEvent: {
            entities: [
              {
                name: 'Invoice',
                id: id ?? String(numberOf(unique)),
                operation: 'Create',
                lastUpdated: at.toISOString(),
              },
            ],
          },
        },
      ],
    }),
  }),
}

function event({ id, at, unique }: SampleInput, type: string): EventToSign {
  return {
    id: id ?? uuidOf(unique),
    type,
    payload: { time: at.toISOString(), intuitentityid: String(numberOf(unique)) },
  }
}
