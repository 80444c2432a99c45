import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** Events of LINE. */
export const samples: ProviderSamples = {
  message: (input) =>
    event(input, 'message', {
      replyToken: `r${input.unique}`,
      message: { type: 'text', id: String(numberOf(input.unique)), text: 'こんにちは 🌷' },
    }),
  follow: (input) => event(input, 'follow', { replyToken: `r${input.unique}`, follow: { isUnblocked: false } }),
  postback: (input) =>
    event(input, 'postback', { replyToken: `r${input.unique}`, postback: { data: 'action=buy&itemid=1001' } }),
}

function event({ id, at, unique }: SampleInput, type: string, content: Readonly<Record<string, unknown>>): EventToSign {
  const inner = {
    type,
    ...content,
    webhookEventId: id ?? `01${unique.toUpperCase()}`,
    deliveryContext: { isRedelivery: false },
    timestamp: at.getTime(),
    source: { type: 'user', userId: 'U4af4980629' },
    mode: 'active',
  }
  return { type, payload: { destination: 'U0123456789', events: [inner] } }
}
