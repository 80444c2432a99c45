import { jsonAnswer } from '../verify/answers.ts'
import { freshUuid, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { jwt } from '../verify/schemes/jwt.ts'

/** What monday.com can be told beyond the common options. */
export type MondayOptions = {
  /** Whom the tokens are for. Default: the address that was called; behind a proxy set `publicUrl`. */
  readonly audience?: string | undefined
}

/** monday.com board webhooks. The secret is the app's signing secret. https://developer.monday.com/apps/docs/authorization-header */
export const monday: (options: ProviderOptions & MondayOptions) => Provider = defineProvider<MondayOptions>(
  ({ audience }) => ({
    name: 'monday',
    title: 'monday.com',
    documentation: 'https://developer.monday.com/apps/docs/authorization-header',
    scheme: jwt({
      prefix: '',
      algorithm: 'HS256',
      audience: audience === undefined ? 'called_url' : [audience],
      // The token says itself until when it may be used; only its start is given some room, for clocks that differ.
      requiredTimes: ['exp'],
      issuedAt: 'start',
      graceSeconds: 0,
      signedClaims: (_, at) => ({
        accountId: 1825529,
        userId: 4012689,
        exp: unixSeconds(at) + 300,
        iat: unixSeconds(at),
      }),
    }),
    idField: 'the body field "event.triggerUuid"',
    identify: ({ document }) => ({
      id: field(document, 'event.triggerUuid'),
      type: field(document, 'event.type'),
      objectId: field(document, 'event.pulseId'),
      occurredAt: fromDateText(field(document, 'event.triggerTime')),
    }),
    handshakes: {
      before_verification: ({ document }) => {
        const challenge = field(document, 'challenge')
        return typeof challenge === 'string' && field(document, 'event') === undefined
          ? jsonAnswer({ challenge })
          : undefined
      },
    },
    handshakeGuide: 'an unsigned POST with a challenge, which is sent back as JSON',
    // Anything but 200 counts as a failure.
    answer: () => ({ status: 200 }),
    successStatus: '200 only',
    retryHours: 0.5,
    retrySchedule: 'every minute for half an hour',
    sending: { thenEverySeconds: 60, successes: [200] },
    confidence: 'documents',
    uncertain: ['that the tokens are signed with HS256', 'how long it waits for an answer'],
    surprises: [
      'Only webhooks that an app made are signed: one made with a personal token carries no token at all and is refused.',
      'App lifecycle webhooks are signed with the client secret instead, and have no id.',
      'The header holds the token alone, without "Bearer".',
    ],
    ownOptions: { audience: 'whom the tokens are for, if that is not the address that was called' },
    mistakes: audience?.trim() === '' ? ['"audience" is empty.'] : [],
    compose: ({ id, type = 'update_column_value', payload }, at) =>
      jsonEvent({
        event: {
          app: 'monday',
          userId: 9603417,
          boardId: 1771812698,
          pulseId: 1772099344,
          pulseName: 'Ship the parcel',
          type,
          triggerTime: at.toISOString(),
          subscriptionId: 73759690,
          triggerUuid: id ?? freshUuid().replaceAll('-', ''),
          ...payload,
        },
      }),
  }),
)
