import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { type FetchText, fetchWithinLimits } from '../verify/fetched-keys.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { HandshakeAnswer } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { isSnsAddress, snsMessage } from '../verify/schemes/sns-message.ts'

/** What Amazon SNS can be told beyond the common options. */
export type AwsSnsOptions = {
  /** The ARNs of the topics whose messages are taken and whose subscriptions are confirmed. Anybody can sign with a topic of their own. */
  readonly topics?: readonly string[] | undefined
}

/** Amazon SNS over HTTPS. Its certificate is fetched from Amazon, unless `publicKey` pins one. https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
export const awsSns: (options: ProviderOptions & AwsSnsOptions) => Provider = defineProvider<AwsSnsOptions>(
  ({ topics, publicKey, unverified, fetchText = fetchWithinLimits }) => ({
    name: 'aws-sns',
    title: 'Amazon SNS',
    documentation: 'https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html',
    scheme: snsMessage({ topics }),
    idField: 'the body field "MessageId"',
    isIdSigned: true,
    identify: ({ document }) => ({
      id: field(document, 'MessageId'),
      type: field(document, 'Type'),
      objectId: field(document, 'TopicArn'),
      occurredAt: fromDateText(field(document, 'Timestamp')),
    }),
    handshakes: {
      after_verification: ({ document }) =>
        field(document, 'Type') === 'SubscriptionConfirmation' ? confirm(document, topics, fetchText) : undefined,
    },
    handshakeGuide:
      'a signed POST SubscriptionConfirmation, whose address is visited if it is Amazon’s and the topic is one of "topics"',
    // Amazon SNS sends again after a 5xx only: a mistake in our settings or our clock must not cost messages.
    refusalStatus: { forged: 503 },
    retryHours: 1,
    retrySchedule: 'three times, 20 seconds apart; a delivery policy of your own may go on for an hour',
    sending: { pausesSeconds: [20, 20, 20], finalStatuses: ['4xx'] },
    confidence: 'executed',
    uncertain: ['how long it waits for an answer', 'whether the token of an UnsubscribeConfirmation is signed'],
    surprises: [
      'The content type is text/plain, although the body is JSON.',
      'Raw message delivery takes away the envelope, and the signature and the id with it: leave it off.',
      'Visiting the address in an UnsubscribeConfirmation subscribes again, so it is an event like others and not visited.',
      'A 4xx makes Amazon SNS give a message up at once; attach a dead-letter queue to the subscription.',
    ],
    ownOptions: {
      topics: 'the ARNs of the topics whose messages are taken and whose subscriptions are confirmed',
    },
    mistakes: topicMistakes(topics, publicKey !== undefined || unverified === true),
    warnings: topics === undefined && publicKey !== undefined ? [anyTopic] : [],
    compose: ({ id = freshUuid(), type = 'Notification', payload }, at) => {
      const topic = topics?.[0] ?? 'arn:aws:sns:eu-central-1:123456789012:orders'
      const message = {
        Type: type,
        MessageId: id,
        TopicArn: topic,
        Message: '{"order":"A-4711","state":"paid"}',
        Timestamp: at.toISOString(),
        SignatureVersion: '2',
        SigningCertURL: `https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-${'0'.repeat(32)}.pem`,
        ...payload,
      }
      return jsonEvent(message, {
        'content-type': 'text/plain; charset=UTF-8',
        'user-agent': 'Amazon Simple Notification Service Agent',
        'x-amz-sns-message-type': type,
        'x-amz-sns-message-id': id,
        'x-amz-sns-topic-arn': topic,
      })
    },
  }),
)

const anyTopic = 'messages of any topic are believed whose certificate has the pinned key: name yours in "topics".'

function topicMistakes(topics: readonly string[] | undefined, isOptional: boolean): readonly string[] {
  if (topics === undefined) return isOptional ? [] : [topicsMissing]
  const areTopics = Array.isArray(topics) && topics.length > 0 && topics.every((topic) => topicPattern.test(topic))
  return areTopics ? [] : ['"topics" must be a list of ARNs such as arn:aws:sns:eu-central-1:123456789012:orders.']
}

const topicPattern = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/

const topicsMissing =
  '"topics" is missing: everybody with an AWS account can have a message signed, so say of which topics (or pin "publicKey").'

/** Who answers for a topic confirms its subscription by visiting the address in the message. */
async function confirm(
  document: unknown,
  topics: readonly string[] | undefined,
  fetchText: FetchText,
): Promise<HandshakeAnswer> {
  const address = field(document, 'SubscribeURL')
  if (topics === undefined) return { kind: 'malformed', detail: 'Only subscriptions to "topics" are confirmed.' }
  if (!isSnsAddress(address))
    return { kind: 'malformed', detail: 'The field "SubscribeURL" is no address of Amazon SNS.' }
  try {
    await fetchText(address, { method: 'GET', headers: {}, signal: AbortSignal.timeout(10_000) })
    return { status: 200 }
  } catch {
    // Sent again, it may succeed.
    return { status: 503, body: 'The subscription could not be confirmed.' }
  }
}
