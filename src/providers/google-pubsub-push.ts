import { jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { claimedMessage, type GooglePushOptions, googlePush, messageParts } from '../verify/google-push.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'

/** Google Cloud Pub/Sub push subscriptions with authentication. The keys are fetched from Google, unless `publicKey` pins one. https://docs.cloud.google.com/pubsub/docs/authenticate-push-subscriptions */
export const googlePubsubPush: (options: ProviderOptions & GooglePushOptions) => Provider =
  defineProvider<GooglePushOptions>((options) => ({
    name: 'google-pubsub-push',
    title: 'Google Cloud Pub/Sub',
    documentation: 'https://docs.cloud.google.com/pubsub/docs/authenticate-push-subscriptions',
    ...googlePush(options),
    idField: 'the body fields "subscription" and "message.messageId"',
    reads: ['subscription', 'message.messageId', 'message.orderingKey', 'message.publishTime'],
    identify: ({ document }) => ({
      ...claimedMessage(document),
      type: field(document, 'subscription'),
      objectId: field(document, 'message.orderingKey'),
      occurredAt: fromDateText(field(document, 'message.publishTime')),
    }),
    successStatus: '102, 200, 201, 202 or 204',
    retrySchedule: 'with growing pauses until it is acknowledged or the retention of the subscription ends',
    sending: { successes: [102, 200, 201, 202, 204] },
    confidence: 'executed',
    uncertain: [
      'how long messages are retained by default',
      'that it waits for an answer as long as the acknowledgement deadline of the subscription',
      'order and duplicates',
    ],
    surprises: [
      'One token is sent for up to an hour, so a token that is minutes old is no replay.',
      'The content of a message is base64 in "message.data".',
      'Payload unwrapping sends the content alone, without an id: leave it off.',
      'Every refusal is sent again until the retention ends; a dead-letter topic sets a limit.',
    ],
    compose: ({ id, payload }, at) => {
      const { subscription, messageId } = messageParts(id)
      return jsonEvent({
        subscription,
        ...payload,
        message: {
          attributes: { kind: 'order.paid' },
          data: Buffer.from('{"order":"A-4711"}').toString('base64'),
          publishTime: at.toISOString(),
          messageId,
          ...(payload?.message as object | undefined),
        },
      })
    },
  }))
