import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

const topic = 'arn:aws:sns:eu-central-1:123456789012:orders'
const host = 'https://sns.eu-central-1.amazonaws.com'

/** The topic that the samples are of. */
export const settings: Readonly<Record<string, unknown>> = { topics: [topic] }

/** Messages of Amazon SNS. */
export const samples: ProviderSamples = {
  Notification: (input) =>
    message(input, 'Notification', {
      Subject: 'Order paid',
      Message: JSON.stringify({ order: `A-${input.unique.slice(0, 6)}`, state: 'paid', amount: '42.00' }),
      UnsubscribeURL: `${host}/?Action=Unsubscribe&SubscriptionArn=${topic}:c9135db0-26c4-47ec-8998-413945fb5a96`,
    }),
  UnsubscribeConfirmation: (input) =>
    message(input, 'UnsubscribeConfirmation', {
      Message: `You have chosen to deactivate subscription ${topic}:c9135db0-26c4-47ec-8998-413945fb5a96.`,
      SubscribeURL: `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37fb687f5d51e6e2425e`,
      Token: '2336412f37fb687f5d51e6e2425e',
    }),
}

function message(
  { id, at, unique }: SampleInput,
  type: string,
  fields: Readonly<Record<string, unknown>>,
): EventToSign {
  const messageId = id ?? uuidOf(unique)
  return { id: messageId, type, payload: { ...fields, TopicArn: topic, Timestamp: at.toISOString() } }
}
