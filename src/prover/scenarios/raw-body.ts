import { rewritten } from '../events.ts'
import { failed, skipped } from '../findings.ts'
import { judgeOnce } from '../judge.ts'
import type { Scenario } from '../scenario.ts'
import { describeReply, isAcknowledged } from '../sender.ts'
import { notAcknowledged } from './copies.ts'

export const prettyBody: Scenario = {
  name: 'pretty-body',
  group: 'authenticity',
  promise: 'A body with other spaces in it and a signature that fits is believed: the bytes are verified as they came.',
  async run(stage) {
    const plain = stage.events.fresh()
    const body = rewritten(plain.body, (_, value) => value, 2)
    const event = body === undefined ? undefined : stage.events.withBody(plain, body)
    if (event === undefined) return skipped('The bodies of this provider cannot be written in another way')
    const first = await stage.courier.send({ event, label: 'indented body' })
    if (first.kind === 'answered' && first.status >= 400 && first.status < 500) {
      return failed('refused', `It was answered ${describeReply(first)}, though its signature fits`)
    }
    const isTaken = isAcknowledged(first) || (await stage.courier.sendUntilAcknowledged({ event, label: 'sent again' }))
    if (!isTaken) return notAcknowledged('The event')
    return judgeOnce(stage, [event], { did: '1 delivery, indented' })
  },
}
