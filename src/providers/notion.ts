import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { Handshake, HandshakeAnswer } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** What Notion can be told beyond the common options. */
export type NotionOptions = {
  /**
   * Takes the verification token of a new subscription, to be shown to the person who pastes it into the integration's page.
   * Anybody can send one: make it the secret only once Notion has accepted it there.
   */
  readonly onVerificationToken?: ((token: string) => void | Promise<void>) | undefined
}

/** Notion. The secret is the subscription's verification token, `secret_…`. https://developers.notion.com/reference/webhooks */
export const notion: (options: ProviderOptions & NotionOptions) => Provider = defineProvider<NotionOptions>(
  ({ onVerificationToken }) => ({
    name: 'notion',
    title: 'Notion',
    documentation: 'https://developers.notion.com/reference/webhooks',
    scheme: signature({
      header: 'x-notion-signature',
      format: plain({ algorithm: hmac('sha256'), encoding: 'hex_any_case', prefix: 'sha256=' }),
    }),
    idField: 'the body field "id"',
    isIdSigned: true,
    confidence: 'executed',
    uncertain: ['how long it tries again'],
    surprises: [
      'The body holds attempt_number, so its bytes are new with every attempt. The id stays.',
      'An event says that something changed, never what: read the page or database from the API.',
      'Several changes by several people can come as one event.',
    ],
    identify: ({ document }) => ({
      id: field(document, 'id'),
      type: field(document, 'type'),
      objectId: field(document, 'entity.id'),
      occurredAt: fromDateText(field(document, 'timestamp')),
    }),
    handshakeGuide:
      'the first request brings a verification token, which a person pastes into the integration’s page and which signs all that follows; ' +
      'give onVerificationToken to get it, as it is never logged or stored here',
    handshakes: { before_verification: tokenGreeting(onVerificationToken) },
    retrySchedule: 'eight attempts with growing pauses',
    sending: { retries: 7 },
    ownOptions: {
      onVerificationToken:
        'a function that takes the verification token of a new subscription, for the person who pastes it into the integration’s page; ' +
        'anybody can send one, so make it the secret only once Notion has accepted it',
    },
    mistakes:
      onVerificationToken === undefined || typeof onVerificationToken === 'function'
        ? []
        : ['"onVerificationToken" must be a function.'],
    compose: ({ id, type, payload }, at) =>
      jsonEvent({
        timestamp: at.toISOString(),
        workspace_id: '13950b26-c203-4f3b-b97d-93ec06319565',
        subscription_id: '29d75c0d-5546-4414-8459-7b7a92f1fc4b',
        integration_id: '0ef2e755-4912-8096-91c1-00376a88a5ca',
        authors: [{ id: 'c7c11cca-1d73-471d-9b6e-bdef51470190', type: 'person' }],
        attempt_number: 1,
        api_version: '2026-03-11',
        entity: { id: freshUuid(), type: 'page' },
        data: { parent: { id: '13950b26-c203-4f3b-b97d-93ec06319565', type: 'space' } },
        ...payload,
        id: id ?? payload?.id ?? freshUuid(),
        type: type ?? payload?.type ?? 'page.content_updated',
      }),
  }),
)

/** The token cannot be verified: it is what verifies from then on. It goes to nobody but the user's own function. */
function tokenGreeting(onVerificationToken: NotionOptions['onVerificationToken']): Handshake {
  const take = async (token: string): Promise<HandshakeAnswer> => {
    if (onVerificationToken === undefined) return { kind: 'malformed', detail: nobodyTakesIt }
    await onVerificationToken(token)
    return { status: 200 }
  }
  return (incoming) => {
    const token = tokenOf(incoming)
    return token === undefined ? undefined : take(token)
  }
}

const nobodyTakesIt =
  'Notion sent a verification token, but nobody takes it: give the option "onVerificationToken", then send the token again from the integration’s page.'

/** Nothing larger is parsed before it is verified. */
const largestGreetingBytes = 1024

function tokenOf(incoming: Incoming): string | undefined {
  if (incoming.delivery.body.byteLength > largestGreetingBytes) return undefined
  const token = field(incoming.document, 'verification_token')
  const isEvent = field(incoming.document, 'type') !== undefined
  return typeof token === 'string' && token !== '' && !isEvent ? token : undefined
}
