import type { Delivery } from '../../index.ts'
import { changeOneByte, corruptSignature, withoutSignature } from '../../testing/tampering.ts'
import type { ProverEvent } from '../events.ts'
import { type Finding, failed, passed, skipped } from '../findings.ts'
import { unseen } from '../judge.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { describeReply, isAcknowledged } from '../sender.ts'

/** Makes a delivery that must not be believed; a text says why it cannot be made. */
type Forge = (stage: Stage, event: ProverEvent, at: Date) => Delivery | string

const attempts = 3

export const wrongSecret: Scenario = forgery({
  name: 'wrong-secret',
  promise: 'What is signed with another secret is refused and takes no effect.',
  forge: ({ stranger }, event, at) => {
    if (stranger === undefined) return 'No second set of keys is known for this provider'
    const { url, method, headers, body } = event.deliver(at)
    const plain = Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')]))
    return stranger.sign({ url, method, headers: plain, body }, at)
  },
})

export const badSignature: Scenario = forgery({
  name: 'bad-signature',
  promise: 'A whole event with a signature that does not fit is refused and takes no effect.',
  forge: ({ provider, stranger }, event, at) =>
    corruptSignature({ provider, stranger, delivery: event.deliver(at), at }) ??
    'The signature of this provider cannot be told from the rest of the request',
})

export const unsigned: Scenario = forgery({
  name: 'unsigned',
  promise: 'An event without a signature is refused and takes no effect.',
  forge: ({ provider, stranger }, event, at) =>
    withoutSignature({ provider, stranger, delivery: event.deliver(at), at }) ??
    'The signature of this provider cannot be told from the rest of the request',
})

export const changedByte: Scenario = forgery({
  name: 'changed-byte',
  promise: 'An event of which one byte was changed on the way is refused and takes no effect.',
  forge: ({ provider, random }, event, at) =>
    provider.facts.isBodySigned
      ? (changeOneByte({ provider, delivery: event.deliver(at), at, random }) ?? 'No byte of the body can be changed')
      : 'This provider does not sign the body',
})

/** Far outside, so that a slow clock explains nothing. */
const staleSeconds = 3_600

export const staleSignature: Scenario = forgery({
  name: 'stale-signature',
  promise: 'A signature that is an hour older than it may be is refused: somebody recorded it.',
  forge: ({ provider }, event, at) => {
    const { toleranceSeconds } = provider.facts
    if (toleranceSeconds === undefined) return 'This provider signs no time'
    const then = new Date(at.getTime() - (toleranceSeconds + staleSeconds) * 1000)
    const delivery = event.deliver(then)
    return provider.verify(delivery, at).kind === 'authentic' ? 'This provider signs no time' : delivery
  },
})

function forgery({ name, promise, forge }: Pick<Scenario, 'name' | 'promise'> & { readonly forge: Forge }): Scenario {
  return {
    name,
    promise,
    group: 'authenticity',
    async run(stage) {
      const events = Array.from({ length: attempts }, () => stage.events.fresh())
      const answers: string[] = []
      for (const [index, event] of events.entries()) {
        const delivery = forge(stage, event, new Date())
        if (typeof delivery === 'string') return skipped(delivery)
        const reply = await stage.courier.send({ event, label: `forgery ${index + 1}`, delivery })
        if (isAcknowledged(reply)) return failed('accepted', `It was answered ${describeReply(reply)}`)
        answers.push(describeReply(reply))
      }
      return judgeRefused(stage, events, [...new Set(answers)].join(', '))
    },
  }
}

async function judgeRefused(stage: Stage, events: readonly ProverEvent[], answers: string): Promise<Finding> {
  const saw = `${events.length} refused with ${answers}`
  if (!stage.counter.canSee) return unseen(saw)
  const counts = await stage.counter.atRest(events)
  const effects = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (effects > 0) return failed('effect_despite_refusal', `${saw}, and yet ${effects} took effect`)
  return passed(saw)
}
