import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

const page = '682498302938465'

/** Events of Messenger. */
export const samples: ProviderSamples = {
  message: (input) => event(input, 'message', { mid: mid(input), text: 'Does it come in another colour?' }),
  postback: (input) => event(input, 'postback', { mid: mid(input), title: 'Talk to an agent', payload: 'AGENT' }),
  delivery: (input) => event(input, 'delivery', { mids: [mid(input)], watermark: input.at.getTime() }),
}

function event({ at }: SampleInput, type: string, content: Readonly<Record<string, unknown>>): EventToSign {
  const time = at.getTime()
  const item = { sender: { id: '5847204721' }, recipient: { id: page }, timestamp: time, [type]: content }
  return { type, payload: { object: 'page', entry: [{ id: page, time, messaging: [item] }] } }
}

function mid({ id, unique }: SampleInput): string {
  return id ?? `m_${Buffer.from(unique).toString('base64url')}`
}
