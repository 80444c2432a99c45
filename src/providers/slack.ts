import { hmac } from '../verify/algorithms/hmac.ts'
import { jsonAnswer } from '../verify/answers.ts'
import { freshId, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Slack events, slash commands and interactivity. The secret is the app's signing secret. https://docs.slack.dev/authentication/verifying-requests-from-slack/ */
export const slack: (options: ProviderOptions) => Provider = defineProvider({
  name: 'slack',
  title: 'Slack',
  documentation: 'https://docs.slack.dev/authentication/verifying-requests-from-slack/',
  scheme: signature({
    header: 'x-slack-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'v0=' }),
    over: 'v0:{timestamp}:{body}',
    timestampHeader: 'x-slack-request-timestamp',
    toleranceSeconds: 300,
  }),
  idField: 'the body field "event_id"',
  isIdSigned: true,
  documentField: 'payload',
  identify: (incoming) => {
    if (!incoming.isForm) return eventOrNotice(incoming)
    return incoming.form.has('payload') ? interaction(incoming) : slashCommand(incoming)
  },
  handshakes: {
    after_verification: (incoming) => {
      if (incoming.isForm || field(incoming.document, 'type') !== 'url_verification') return undefined
      const challenge = field(incoming.document, 'challenge')
      if (typeof challenge !== 'string') return { kind: 'malformed', detail: 'The field "challenge" is missing.' }
      return jsonAnswer({ challenge })
    },
  },
  // Text in the body of an answer to a command or an interaction is shown to the user.
  answer: () => ({ status: 200 }),
  handshakeGuide: 'A signed url_verification event, whose challenge is given back',
  confidence: 'executed',
  uncertain: ['whether events arrive in order'],
  surprises: [
    'An answer that takes more than 3 seconds is followed by a retry while the first delivery may still be at work.',
    'Slack’s own library refuses only old signatures; Oncehook also refuses those from the future.',
    'When more than 95 % of deliveries fail within an hour, the subscription is switched off.',
    'Text in the answer to a command or an interaction is shown to the user.',
  ],
  // With delayed events switched on; otherwise three retries within six minutes.
  retryHours: 24,
  retrySchedule: 'Almost at once, after 1 minute and after 5; with delayed events also hourly for a day',
  sending: {
    pausesSeconds: [0, 60, 300],
    stopHeader: { name: 'x-slack-no-retry', value: '1' },
    leftOut: [
      'With delayed events switched on, it also tries hourly for a day.',
      'Up to two redirects are followed.',
      'Above 95 % of failures within an hour, the subscription is switched off.',
    ],
  },
  deadlineSeconds: 3,
  compose: ({ id, type = 'app_mention', payload }, at) =>
    jsonEvent({
      team_id: 'T123ABC456',
      api_app_id: 'A123ABC456',
      event: { type, user: 'U123ABC456', text: 'Hello', channel: 'C123ABC456', ts: `${unixSeconds(at)}.000200` },
      type: 'event_callback',
      event_time: unixSeconds(at),
      ...payload,
      event_id: id ?? payload?.event_id ?? freshId('Ev'),
    }),
})

function eventOrNotice({ document }: Incoming): ClaimedEvent {
  const kind = field(document, 'type')
  if (kind === 'app_rate_limited') {
    const parts = ['team_id', 'api_app_id', 'minute_rate_limited'].map((name) => field(document, name))
    return { id: compositeId([kind, ...parts]), type: kind, occurredAt: fromUnixSeconds(parts[2]) }
  }
  return {
    id: field(document, 'event_id'),
    type: field(document, 'event.type'),
    objectId: compositeId([field(document, 'event.channel'), field(document, 'event.ts')]),
    occurredAt: fromUnixSeconds(field(document, 'event_time')),
  }
}

/** A trigger id belongs to one click. The few interactions without one are told apart by their signed body. */
function interaction({ document, bodySha256 }: Incoming): ClaimedEvent {
  const type = field(document, 'type')
  const triggerId = field(document, 'trigger_id')
  return {
    id: triggerId ?? compositeId([type, bodySha256]),
    type,
    objectId: field(document, 'view.id') ?? field(document, 'message.ts'),
    occurredAt: fromUnixSeconds(field(document, 'actions.0.action_ts') ?? field(document, 'action_ts')),
  }
}

function slashCommand({ form, bodySha256 }: Incoming): ClaimedEvent {
  const type = form.has('command') ? 'slash_command' : form.has('ssl_check') ? 'ssl_check' : undefined
  return { id: form.get('trigger_id') ?? compositeId([type, bodySha256]), type, objectId: form.get('command') }
}
