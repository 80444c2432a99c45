import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** The account that the samples are signed for. */
export const settings: Readonly<Record<string, unknown>> = { serviceAccount: 'pusher@acme.iam.gserviceaccount.com' }

/** Notifications of Google Play. */
export const samples: ProviderSamples = {
  'subscriptionNotification.2': (input) =>
    notification(input, 'subscriptionNotification.2', {
      subscriptionNotification: { version: '1.0', notificationType: 2, purchaseToken: `token-${input.unique}` },
    }),
  'oneTimeProductNotification.1': (input) =>
    notification(input, 'oneTimeProductNotification.1', {
      oneTimeProductNotification: {
        version: '1.0',
        notificationType: 1,
        purchaseToken: `token-${input.unique}`,
        sku: 'coins_100',
      },
    }),
  testNotification: (input) => notification(input, 'testNotification', { testNotification: { version: '1.0' } }),
}

function notification(
  { id, at, unique }: SampleInput,
  type: string,
  detail: Readonly<Record<string, unknown>>,
): EventToSign {
  return {
    id: id ?? String(numberOf(unique)),
    type,
    payload: { packageName: 'com.example.app', eventTimeMillis: String(at.getTime()), ...detail },
  }
}
