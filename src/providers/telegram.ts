import { freshNumber, jsonEvent, unixSeconds } from '../verify/compose.ts'
import { fromUnixSeconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { token } from '../verify/schemes/token.ts'

/** What Telegram can be told beyond the common options. */
export type TelegramOptions = {
  /** Any name for the bot. Update ids are unique per bot only, so each of several bots on one source needs its own. */
  readonly bot?: string | undefined
}

/** The Telegram Bot API. The secret is the `secret_token` of setWebhook. https://core.telegram.org/bots/api#setwebhook */
export const telegram: (options: ProviderOptions & TelegramOptions) => Provider = defineProvider<TelegramOptions>(
  ({ bot }) => ({
    name: 'telegram',
    title: 'Telegram Bot API',
    documentation: 'https://core.telegram.org/bots/api#setwebhook',
    scheme: token({ header: 'x-telegram-bot-api-secret-token' }),
    idField: 'the body field "update_id"',
    isIdSigned: false,
    identify: ({ document }) => {
      const type = updateType(document)
      const update = field(document, type ?? '')
      const message = field(update, 'message') ?? update
      const id = field(document, 'update_id')
      return {
        id: bot === undefined ? id : compositeId([bot, id]),
        type,
        objectId: compositeId([field(message, 'chat.id'), field(message, 'message_id')]),
        occurredAt: fromUnixSeconds(field(update, 'date')),
      }
    },
    confidence: 'source',
    order: 'not_guaranteed',
    uncertain: ['that numbers start anew after an idle week'],
    surprises: [
      'Updates of one chat come one after the other; those of several chats do not wait for each other.',
      'Numbers of updates are unique per bot only.',
      'The secret token is optional in Telegram and needed here.',
      'A webhook that is answered 410 for 23 hours is removed.',
    ],
    retryHours: 24,
    retrySchedule: 'After 1 second, then with doubled pauses of up to 2 minutes, until the update is a day old',
    sending: {
      pausesSeconds: [1],
      growth: 2,
      longestPauseSeconds: 120,
      retryAfterUpToSeconds: 3_600,
      leftOut: ['After 23 hours of 410 the webhook is removed.'],
    },
    deadlineSeconds: 60,
    ownOptions: { bot: 'any name for the bot, where one source serves several: update ids are unique per bot only' },
    mistakes: bot?.trim() === '' ? ['"bot" is empty.'] : [],
    compose: ({ id, type = 'message', payload }, at) => {
      const number = id?.slice(id.lastIndexOf(':') + 1)
      const sample = { message_id: 1365, date: unixSeconds(at), chat: { id: 1111111, type: 'private' }, text: 'Hello' }
      return jsonEvent({
        ...(payload ?? { [type]: sample }),
        update_id: number === undefined ? (payload?.update_id ?? freshNumber()) : asNumber(number),
      })
    },
  }),
)

/** An update has its id and one more member, which names its type. */
function updateType(document: unknown): string | undefined {
  return isObject(document) ? Object.keys(document).find((name) => name !== 'update_id') : undefined
}

function asNumber(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}
