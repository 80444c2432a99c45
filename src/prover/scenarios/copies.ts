import { setTimeout as pause } from 'node:timers/promises'
import type { Shipment } from '../courier.ts'
import type { ProverEvent } from '../events.ts'
import { type Finding, failed, passed } from '../findings.ts'
import { judgeOnce, unseen } from '../judge.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { describeReply, isAcknowledged } from '../sender.ts'

export const singleDelivery: Scenario = {
  name: 'single-delivery',
  group: 'copies',
  promise: 'A signed event is acknowledged and takes effect once.',
  async run(stage) {
    const event = stage.events.fresh()
    if (!(await stage.courier.sendUntilAcknowledged({ event, label: 'delivery' }))) return notAcknowledged('The event')
    return judgeOnce(stage, [event], { did: '1 delivery' })
  },
}

const repetitions = 5

export const repeatedDelivery: Scenario = {
  name: 'repeated-delivery',
  group: 'copies',
  promise: 'The same event, one time after another, takes effect once, and every copy is acknowledged.',
  async run(stage) {
    const event = stage.events.fresh()
    for (let copy = 1; copy <= repetitions; copy += 1) {
      const isTaken = await stage.courier.sendUntilAcknowledged({ event, label: `copy ${copy}` })
      if (!isTaken) return notAcknowledged(copy === 1 ? 'The event' : `Copy ${copy} of an event that was taken`)
      // What the first one does after its answer is done before the next one comes.
      if (copy === 1 && stage.counter.canSee) await stage.counter.expectOnce([event])
    }
    return judgeOnce(stage, [event], { did: `${repetitions} deliveries in a row` })
  },
}

/** One round finds nearly every race; the others are for handlers whose window is small. */
const rounds = 4

export const copiesAtOnce: Scenario = {
  name: 'copies-at-once',
  group: 'copies',
  promise: 'Many copies of one event that arrive at the same moment take effect once.',
  async run(stage) {
    const { copies } = stage.settings
    const events: ProverEvent[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const event = stage.events.fresh()
      events.push(event)
      const shipments = Array.from({ length: copies }, (_, copy) => ({ event, label: `copy ${copy + 1}` }))
      const replies = await stage.courier.sendTogether(shipments)
      // Who was told to come again comes again, as long as it takes.
      const isTaken = await redeliverRefused(stage, event, replies.every(isAcknowledged))
      if (!isTaken) return notAcknowledged(`A copy that was answered ${describeReply(firstBad(replies))}`)
      const finding = await judgeOnce(stage, [event], { did: `${copies} copies at once` })
      if (finding.kind !== 'passed') return finding
    }
    return passed(`${rounds} × ${copies} copies at once → 1 effect each`)
  },
}

async function redeliverRefused(stage: Stage, event: ProverEvent, areAllTaken: boolean): Promise<boolean> {
  return areAllTaken || stage.courier.sendUntilAcknowledged({ event, label: 'redelivery' })
}

function firstBad<Reply extends Parameters<typeof isAcknowledged>[0]>(replies: readonly Reply[]): Reply {
  return (replies.find((reply) => !isAcknowledged(reply)) ?? replies[0]) as Reply
}

/** At these fractions of the time that one delivery takes, and once at a moment that the seed chooses. */
const fractions = [0.1, 0.3, 0.5, 0.7, 0.9]

export const copyWhileProcessing: Scenario = {
  name: 'copy-while-processing',
  group: 'copies',
  promise: 'A copy that arrives while the first is still being processed changes nothing.',
  async run(stage) {
    const { courier, random, latencyMilliseconds } = stage
    const moments = [...fractions, ...Array.from({ length: 5 }, random.fraction)]
    const events = await Promise.all(
      moments.map(async (moment, index) => {
        const event = stage.events.fresh()
        await pause(index * latencyMilliseconds)
        const first = courier.send({ event, label: `event ${index + 1}` })
        await pause(moment * latencyMilliseconds)
        const second = courier.send({ event, label: `event ${index + 1}, copy` })
        const replies = await Promise.all([first, second])
        const isTaken = await redeliverRefused(stage, event, replies.every(isAcknowledged))
        return { event, isTaken }
      }),
    )
    if (events.some(({ isTaken }) => !isTaken)) return notAcknowledged('A copy')
    return judgeOnce(
      stage,
      events.map(({ event }) => event),
      { did: `${events.length} events, each with a copy on its heels` },
    )
  },
}

export const lostAcknowledgement: Scenario = {
  name: 'lost-acknowledgement',
  group: 'copies',
  promise: 'An event whose answer got lost, because the sender hung up, still takes effect once.',
  async run(stage) {
    const { courier, counter, random, latencyMilliseconds } = stage
    const moments = [0, ...fractions, ...Array.from({ length: 4 }, random.fraction)]
    const events = moments.map(() => stage.events.fresh())
    await Promise.all(
      events.map((event, index) =>
        courier.send({
          event,
          label: `event ${index + 1}`,
          hangUpAfterMilliseconds: (moments[index] ?? 0) * latencyMilliseconds,
        }),
      ),
    )
    // A provider comes back much later: what still runs ends first.
    if (counter.canSee) await counter.atRest(events)
    else await pause(latencyMilliseconds * 5 + 200)
    const taken = await Promise.all(
      events.map((event, index) =>
        courier.sendUntilAcknowledged({ event, label: `event ${index + 1}, sent again` } satisfies Shipment),
      ),
    )
    if (taken.includes(false)) return notAcknowledged('An event that was sent again')
    return judgeOnce(stage, events, { did: `${events.length} events whose sender hung up and came again` })
  },
}

export const lateCopy: Scenario = {
  name: 'late-copy',
  group: 'copies',
  promise: 'A copy that comes late is still known.',
  async run(stage) {
    const { courier, counter, settings } = stage
    const event = stage.events.fresh()
    if (!(await courier.sendUntilAcknowledged({ event, label: 'delivery' }))) return notAcknowledged('The event')
    if (counter.canSee) await counter.expectOnce([event])
    await pause(settings.lateSeconds * 1000)
    if (!(await courier.sendUntilAcknowledged({ event, label: 'late copy' }))) return notAcknowledged('The late copy')
    const finding = await judgeOnce(stage, [event], { did: `a copy ${settings.lateSeconds} s later` })
    return finding.kind === 'unseen' ? unseen(finding.saw) : finding
  },
}

export function notAcknowledged(what: string): Finding {
  return failed('not_acknowledged', `${what} was not acknowledged, however often it was sent again`)
}
