import { rewritten } from '../events.ts'
import { failed, passed, skipped } from '../findings.ts'
import { judgeOnce } from '../judge.ts'
import type { Scenario } from '../scenario.ts'
import { notAcknowledged } from './copies.ts'

const distinctEvents = 10

export const newEvents: Scenario = {
  name: 'new-events',
  group: 'identity',
  promise: 'Events that differ in their ids alone are each processed: none is taken for a copy of another.',
  async run(stage) {
    const events = Array.from({ length: distinctEvents }, () => stage.events.fresh())
    for (const [index, event] of events.entries()) {
      const isTaken = await stage.courier.sendUntilAcknowledged({ event, label: `event ${index + 1}` })
      if (!isTaken) return notAcknowledged(`Event ${index + 1}`)
    }
    return judgeOnce(stage, events, { did: `${events.length} new events` })
  },
}

export const changedBody: Scenario = {
  name: 'changed-body',
  group: 'identity',
  promise: 'A redelivery with the same id and another body takes no effect: the id tells events apart, not the bytes.',
  async run(stage) {
    const event = stage.events.fresh()
    const body = rewritten(event.body, (name, value) => (name === '' ? { ...(value as object), rendered: 2 } : value))
    const changed = body === undefined ? undefined : stage.events.withBody(event, body)
    if (changed === undefined) return skipped('The id of this provider’s events is made of the body itself')
    for (const [index, copy] of [event, changed].entries()) {
      const label = index === 0 ? 'delivery' : 'same id, other body'
      if (!(await stage.courier.sendUntilAcknowledged({ event: copy, label }))) return notAcknowledged(`The ${label}`)
      if (index === 0 && stage.counter.canSee) await stage.counter.expectOnce([event])
    }
    return judgeOnce(stage, [event], { did: '2 deliveries with one id and two bodies' })
  },
}

export const sameChange: Scenario = {
  name: 'same-change',
  group: 'identity',
  promise: 'Two events with two ids for one change of one object take effect once.',
  async run(stage) {
    if (!stage.counter.canSee || stage.countsBy !== 'object') {
      return skipped('Only a probe that counts by object (:object) can see this')
    }
    const pair = stage.events.pairForOneChange()
    if (pair === undefined) return skipped('Two events about one object cannot be made for this provider')
    for (const [index, event] of pair.entries()) {
      const isTaken = await stage.courier.sendUntilAcknowledged({ event, label: `event ${index + 1}` })
      if (!isTaken) return notAcknowledged(`Event ${index + 1}`)
    }
    const counts = await stage.counter.expectOnce([pair[0]])
    const count = counts.get(pair[0].id) ?? 0
    const saw = `2 events for one change of ${pair[0].objectId ?? 'an object'} → ${count} ${count === 1 ? 'effect' : 'effects'}`
    return count === 1 ? passed(saw) : failed(count > 1 ? 'doubled' : 'lost', saw, pair)
  },
}
