import { randomBytes } from 'node:crypto'
import type { EventToSign } from '../index.ts'

/** What a greeting may need to know. */
export type GreetingInput = {
  readonly url: string
  /** What the endpoint is configured with, where a greeting carries it. */
  readonly secret: string | undefined
  readonly verifyToken: string | undefined
}

/** One request of a greeting, and the answer that the provider wants. */
export type GreetingRequest = {
  /** In words, for people. */
  readonly what: string
  readonly request: EventToSign
  /** `wrong`: with a signature that does not fit. */
  readonly proof: 'signed' | 'wrong' | 'none'
  readonly wants: {
    readonly statuses: readonly number[] | '2xx'
    /** Text that the body has to hold. */
    readonly holds?: string
    /** A header that has to be there. */
    readonly header?: string
    /** True if the answer has to be the one that only who knows the secret can give. */
    readonly isProof?: true
  }
}

/** A greeting, or why it cannot be played here. */
export type Greeting = (input: GreetingInput) => readonly GreetingRequest[] | string

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** How providers greet a new endpoint, before they send events to it. Those that are not here do not. */
export const greetings: Readonly<Record<string, Greeting>> = {
  asana: ({ secret }) =>
    secret === undefined
      ? 'It carries the secret of the webhook, which was not given.'
      : [
          ask(
            'a POST with X-Hook-Secret',
            { headers: { ...json, 'x-hook-secret': secret }, body: '{}' },
            { header: 'x-hook-secret' },
          ),
        ],
  'aws-sns': () => 'The endpoint would have to visit an address of Amazon, which is not done here.',
  'azure-event-grid': () => {
    const code = fresh()
    const event = {
      id: fresh(),
      topic: '/subscriptions/1',
      subject: '',
      eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
      eventTime: new Date().toISOString(),
      data: { validationCode: code },
      dataVersion: '1',
      metadataVersion: '1',
    }
    const headers = { ...json, 'aeg-event-type': 'SubscriptionValidation' }
    return [
      signed(
        'a SubscriptionValidationEvent',
        { headers, body: JSON.stringify([event]) },
        { statuses: [200], holds: code },
      ),
    ]
  },
  braintree: ({ url }) => [
    ask(
      'a GET with bt_challenge',
      { method: 'GET', url: withQuery(url, { bt_challenge: fresh().slice(0, 20) }) },
      { isProof: true },
    ),
  ],
  buildkite: () => [signed('an event ping', { type: 'ping' })],
  'cloudevents-http': () => [
    ask(
      'an OPTIONS that asks for consent',
      { method: 'OPTIONS', headers: { 'webhook-request-origin': 'simulator.example' } },
      { header: 'webhook-allowed-origin' },
    ),
  ],
  discord: () => [
    signed(
      'a PING',
      { body: JSON.stringify({ id: '1', application_id: '1', type: 1, version: 1 }) },
      { statuses: [200], holds: '"type"' },
    ),
    wrong(
      'a PING with a wrong signature',
      { body: JSON.stringify({ id: '1', application_id: '1', type: 1, version: 1 }) },
      [401],
    ),
  ],
  dropbox: ({ url }) => challengeInQuery(url, 'challenge'),
  figma: () => [
    signed(
      'a PING event',
      {
        body: JSON.stringify({
          event_type: 'PING',
          passcode: '',
          timestamp: new Date().toISOString(),
          webhook_id: '22',
          retries: 0,
        }),
      },
      { statuses: [200] },
    ),
  ],
  github: () => [
    signed('a ping event', {
      type: 'ping',
      headers: { 'x-github-event': 'ping' },
      payload: { zen: 'Keep it logically awesome.', hook_id: 292430182 },
    }),
  ],
  intercom: () => [
    signed('a notification with the topic "ping"', {
      body: JSON.stringify({ type: 'notification_event', id: null, topic: 'ping', data: { item: { type: 'ping' } } }),
    }),
  ],
  line: () => [
    signed('a list without events', { body: JSON.stringify({ destination: 'U1', events: [] }) }, { statuses: [200] }),
  ],
  mailchimp: () => [signed('a GET', { method: 'GET' }, { statuses: [200] })],
  messenger: subscription,
  monday: () => {
    const challenge = fresh()
    return [
      ask(
        'a POST with a challenge',
        { headers: json, body: JSON.stringify({ challenge }) },
        { statuses: [200], holds: challenge },
      ),
    ]
  },
  notion: () => 'It brings a new token for a person to paste, and would have to change the secret in use.',
  'okta-event-hooks': () => {
    const challenge = fresh()
    return [
      ask(
        'a GET with x-okta-verification-challenge',
        { method: 'GET', headers: { 'x-okta-verification-challenge': challenge } },
        { statuses: [200], holds: challenge },
      ),
    ]
  },
  slack: () => {
    const challenge = fresh()
    return [
      signed(
        'a url_verification event',
        { body: JSON.stringify({ type: 'url_verification', challenge }) },
        { statuses: [200], holds: challenge },
      ),
    ]
  },
  trello: () => [ask('a HEAD', { method: 'HEAD' }, { statuses: [200] })],
  'twitch-eventsub': () => {
    const challenge = fresh()
    const headers = { 'twitch-eventsub-message-type': 'webhook_callback_verification' }
    const body = JSON.stringify({
      challenge,
      subscription: { id: fresh(), type: 'channel.follow', status: 'webhook_callback_verification_pending' },
    })
    return [signed('a callback verification', { headers, body }, { statuses: [200], holds: challenge })]
  },
  viber: () => [
    signed(
      'the event "webhook"',
      {
        body: JSON.stringify({
          event: 'webhook',
          timestamp: Date.now(),
          chat_hostname: 'SN-CHAT-05_',
          message_token: 241256543215,
        }),
      },
      { statuses: [200] },
    ),
  ],
  whatsapp: subscription,
  wise: () => [signed('a test notification', { headers: { 'x-test-notification': 'true' } })],
  woocommerce: () => [
    ask('an unsigned form with webhook_id', { headers: form, body: 'webhook_id=5' }, { statuses: [200] }),
  ],
  xero: () => {
    const body = JSON.stringify({ events: [], firstEventSequence: 0, lastEventSequence: 0, entropy: 'S0m3r4nd0mt3xt' })
    return [
      signed('intent to receive', { body }, { statuses: [200] }),
      wrong('intent to receive with a wrong signature', { body }, [401]),
    ]
  },
  zoom: () => {
    const plainToken = fresh()
    const body = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken }, event_ts: Date.now() })
    return [signed('a url_validation event', { body }, { statuses: [200], holds: plainToken, isProof: true })]
  },
}

type Wants = Partial<GreetingRequest['wants']>

function signed(what: string, request: EventToSign, wants: Wants = {}): GreetingRequest {
  return { what, request, proof: 'signed', wants: { statuses: '2xx', ...wants } }
}

function ask(what: string, request: EventToSign, wants: Wants): GreetingRequest {
  return { what, request, proof: 'none', wants: { statuses: '2xx', ...wants } }
}

function wrong(what: string, request: EventToSign, statuses: readonly number[]): GreetingRequest {
  return { what, request, proof: 'wrong', wants: { statuses } }
}

function challengeInQuery(url: string, name: string): readonly GreetingRequest[] {
  const challenge = fresh()
  return [
    ask(
      `a GET with a ${name}`,
      { method: 'GET', url: withQuery(url, { [name]: challenge }) },
      { statuses: [200], holds: challenge },
    ),
  ]
}

/** Meta's way, for all of its products. */
function subscription({ url, verifyToken }: GreetingInput): readonly GreetingRequest[] | string {
  if (verifyToken === undefined) return 'It carries the verify token of the app, which was not given.'
  const challenge = String(1_000_000_000 + Number.parseInt(fresh().slice(0, 7), 16))
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': challenge }
  return [
    ask(
      'a GET with hub.challenge',
      { method: 'GET', url: withQuery(url, query) },
      { statuses: [200], holds: challenge },
    ),
  ]
}

function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address.href
}

function fresh(): string {
  return randomBytes(16).toString('hex')
}
