import type { GithubPayloads } from '../payloads/github.ts'
import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** GitHub repository, organisation and app webhooks. https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
export const github: (options: ProviderOptions) => Provider<GithubPayloads> = defineProvider({
  name: 'github',
  title: 'GitHub',
  documentation: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
  scheme: signature({
    header: 'x-hub-signature-256',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'sha256=' }),
  }),
  idField: 'the header x-github-delivery',
  isIdSigned: false,
  documentField: 'payload',
  // All hooks that are subscribed to an event share its GUID, so the hook is part of the identity.
  identify: ({ headers }) => {
    const delivery = headers.get('x-github-delivery')
    const hook = headers.get('x-github-hook-id')
    return {
      id: delivery === undefined || hook === undefined ? delivery : compositeId([hook, delivery]),
      type: headers.get('x-github-event'),
      deliveryId: delivery,
    }
  },
  handshakeGuide: 'A ping event when the webhook is made; any 2xx will do',
  confidence: 'executed',
  order: 'not_guaranteed',
  uncertain: ['that a ping comes first', 'how long a delivery can be sent again'],
  surprises: [
    'GitHub never sends again by itself: what fails has to be asked for again, by hand or through its API.',
    'Without a secret there is no signature at all.',
    'The id in x-github-delivery is shared by all hooks that are subscribed to an event, and it is the same on a redelivery.',
    'GitHub Enterprise Server waits 30 seconds for an answer.',
  ],
  retryHours: 0,
  retrySchedule: 'Never by itself; a person or the API can ask for a redelivery',
  // github.com has 3 days, Enterprise Server 7.
  manualReplayDays: 7,
  deadlineSeconds: 10,
  maximumBodyBytes: 25 * 1024 * 1024,
  compose: ({ id, type = 'issues', payload }) =>
    jsonEvent(
      payload ?? {
        action: 'opened',
        issue: { id: 2685734512, number: 1347, title: 'The build is red', state: 'open' },
        repository: { id: 1296269, full_name: 'octo-org/hello-world', private: false },
        sender: { id: 21031067, login: 'octocat', type: 'User' },
      },
      { 'user-agent': 'GitHub-Hookshot/1a2b3c4', 'x-github-event': type, ...identityHeaders(id) },
    ),
})

/** An id as `identify` gives it, with or without the hook, back in its headers. */
function identityHeaders(id = `292430182:${freshUuid()}`): Readonly<Record<string, string>> {
  const [, hook, delivery = id] = /^(\d+):(.+)$/s.exec(id) ?? []
  return { 'x-github-delivery': delivery, ...(hook === undefined ? {} : { 'x-github-hook-id': hook }) }
}
