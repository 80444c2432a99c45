import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

const from = { id: 1111111, is_bot: false, first_name: 'Тест', username: 'test' }

/** Updates of Telegram. */
export const samples: ProviderSamples = {
  message: (input) => update(input, 'message', message(input)),
  edited_message: (input) => update(input, 'edited_message', { ...message(input), edit_date: secondsOf(input.at) }),
  callback_query: (input) =>
    update(input, 'callback_query', {
      id: input.unique,
      from,
      message: message(input),
      chat_instance: '1',
      data: 'order:1001',
    }),
}

function update({ id, unique }: SampleInput, type: string, content: unknown): EventToSign {
  return { id: id ?? String(numberOf(unique)), type, payload: { [type]: content } }
}

function message({ at }: SampleInput): Readonly<Record<string, unknown>> {
  return { message_id: 1365, from, date: secondsOf(at), chat: { id: 1111111, type: 'private' }, text: '/start' }
}
