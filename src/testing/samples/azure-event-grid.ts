import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Azure Event Grid. */
export const samples: ProviderSamples = {
  'Microsoft.Storage.BlobCreated': (input) => blob(input, 'Microsoft.Storage.BlobCreated', 'PutBlob'),
  'Microsoft.Storage.BlobDeleted': (input) => blob(input, 'Microsoft.Storage.BlobDeleted', 'DeleteBlob'),
  'Contoso.Orders.Paid': (input) =>
    event(input, 'Contoso.Orders.Paid', 'orders/1001', { order: '1001', amount: 4200, currency: 'EUR' }),
}

function blob(input: SampleInput, type: string, api: string): EventToSign {
  const path = `invoices/${input.unique}.pdf`
  return event(input, type, `/blobServices/default/containers/invoices/blobs/${input.unique}.pdf`, {
    api,
    blobType: 'BlockBlob',
    contentType: 'application/pdf',
    url: `https://example.blob.core.windows.net/${path}`,
  })
}

function event({ id, at, unique }: SampleInput, type: string, subject: string, data: unknown): EventToSign {
  return { id: id ?? uuidOf(unique), type, payload: { subject, eventTime: at.toISOString(), data } }
}
