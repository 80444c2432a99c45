import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Cal.com, hosted or self-hosted. The secret is the one that was set for the webhook. https://cal.com/docs/developing/guides/automation/webhooks */
export const calCom: (options: ProviderOptions) => Provider = defineProvider({
  name: 'cal-com',
  title: 'Cal.com',
  documentation: 'https://cal.com/docs/developing/guides/automation/webhooks',
  scheme: signature({
    header: 'x-cal-signature-256',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'triggerEvent, the booking’s uid and createdAt',
  isIdSigned: true,
  confidence: 'source',
  uncertain: ['whether an instance with its task queue switched on tries again'],
  surprises: [
    'A webhook without a secret sends the words no-secret-provided as its signature. That is refused here.',
    'There is no id of an event. What has no booking, such as a submitted form, is told apart by its content.',
    'A payload template of your own replaces the whole body: keep triggerEvent, createdAt and uid in it, or set identity.',
  ],
  identify: ({ document }) => {
    const [type, createdAt] = [field(document, 'triggerEvent'), field(document, 'createdAt')]
    const booking = bookingOf(document)
    const content = field(document, 'payload')
    const subject = booking ?? (content === undefined ? undefined : digestOf(content))
    return {
      id: compositeId([type, subject, createdAt]),
      type,
      objectId: booking,
      occurredAt: fromDateText(createdAt),
    }
  },
  retryHours: 0,
  successStatus: '2xx; redirects are not followed',
  compose: ({ id, type, payload }, at) =>
    jsonEvent(
      {
        createdAt: at.toISOString(),
        payload: {
          uid: id ?? freshId(),
          type: '60min',
          title: '60min between Zoë and Jenny',
          startTime: at.toISOString(),
          status: 'ACCEPTED',
        },
        ...payload,
        triggerEvent: type ?? payload?.triggerEvent ?? 'BOOKING_CREATED',
      },
      { 'x-cal-webhook-version': '2021-10-20' },
    ),
})

/** Started and ended meetings are sent without the usual envelope; changes of a no-show name the booking in another way. */
function bookingOf(document: unknown): unknown {
  const candidates = ['payload.uid', 'uid', 'payload.bookingUid'].map((path) => field(document, path))
  return candidates.find((uid) => typeof uid === 'string')
}
