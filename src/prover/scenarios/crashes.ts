import { setTimeout as pause } from 'node:timers/promises'
import type { ProverEvent } from '../events.ts'
import { type Finding, failed, skipped } from '../findings.ts'
import { judgeOnce } from '../judge.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { isAcknowledged } from '../sender.ts'
import type { ServerUnderTest } from '../server-under-test.ts'
import { notAcknowledged } from './copies.ts'

const eventsAtOnce = 40

/** After so many acknowledgements of one burst: then the other events of it are at every stage of their work. */
const acknowledgementsBeforeKill = [1, 2, 4, 8, 16, 24]

export const killedWhileProcessing: Scenario = {
  name: 'killed-while-processing',
  group: 'crashes',
  promise: 'Events whose process is killed in the middle of the work take effect once, after they were sent again.',
  run: (stage) =>
    withServer(stage, async (server) => {
      const judged: ProverEvent[] = []
      let kills = 0
      const burst = await measureBurst(stage)
      const moments = Array.from({ length: stage.settings.kills }, (_, kill) => killMoment(stage, kill, burst))
      for (const [round, moment] of moments.entries()) {
        const { unanswered } = await interrupt(stage, { round: round + 1, moment, end: () => server.kill() })
        stage.timeline.mark('killed', 'bad')
        await server.start()
        stage.timeline.mark('started again', 'neutral')
        if (!(await redeliver(stage, unanswered))) return notAcknowledged('An event after the restart')
        judged.push(...unanswered)
        kills += 1
        if (await isDoubled(stage, judged)) break
      }
      return judgeOnce(stage, judged, {
        did: `${kills} ${kills === 1 ? 'kill' : 'kills'} in the middle of the work`,
        patienceSeconds: stage.settings.recoverySeconds,
      })
    }),
}

const killsAfterAcknowledgement = 5

export const killedAfterAcknowledgement: Scenario = {
  name: 'killed-after-acknowledgement',
  group: 'crashes',
  promise: 'What was acknowledged takes effect although the process is killed right after the answer.',
  run: (stage) =>
    withServer(stage, async (server) => {
      const judged: ProverEvent[] = []
      for (let round = 1; round <= killsAfterAcknowledgement; round += 1) {
        const moment = { kind: 'acknowledgements', count: round === 1 ? 1 : stage.random.below(10) + 1 } as const
        const { acknowledged, unanswered } = await interrupt(stage, { round, moment, end: () => server.kill() })
        stage.timeline.mark('killed', 'bad')
        await server.start()
        stage.timeline.mark('started again', 'neutral')
        // They are sent again as a provider would, but another scenario judges them.
        await redeliver(stage, unanswered)
        judged.push(...acknowledged)
      }
      return judgeOnce(stage, judged, {
        did: `${killsAfterAcknowledgement} kills right after an answer`,
        patienceSeconds: stage.settings.recoverySeconds,
        lostSymptom: 'lost_after_acknowledgement',
      })
    }),
}

/** After so many acknowledgements, and at these fractions of the time of a burst. */
const terminationsAfterAcknowledgements = [1, 4, 12]
const terminationsAtFractions = [0.2, 0.45, 0.7]

export const terminatedUnderLoad: Scenario = {
  name: 'terminated-under-load',
  group: 'crashes',
  promise: 'Nothing is lost or doubled when the server is stopped with SIGTERM under load, as every deployment does.',
  run: (stage) =>
    withServer(stage, async (server) => {
      const acknowledgedOnes: ProverEvent[] = []
      const others: ProverEvent[] = []
      const burst = await measureBurst(stage)
      const moments: readonly Moment[] = [
        ...terminationsAfterAcknowledgements.map((count) => ({ kind: 'acknowledgements' as const, count })),
        ...terminationsAtFractions.map((fraction) => ({ kind: 'time' as const, milliseconds: fraction * burst })),
      ]
      for (const [round, moment] of moments.entries()) {
        const { acknowledged, unanswered } = await interrupt(stage, {
          round: round + 1,
          moment,
          end: () => server.terminate(),
        })
        stage.timeline.mark('stopped', 'bad')
        await server.start()
        stage.timeline.mark('started again', 'neutral')
        if (!(await redeliver(stage, unanswered))) return notAcknowledged('An event after the restart')
        acknowledgedOnes.push(...acknowledged)
        others.push(...unanswered)
      }
      const did = `${moments.length} stops under load`
      const { recoverySeconds: patienceSeconds } = stage.settings
      const finding = await judgeOnce(stage, acknowledgedOnes, {
        did,
        patienceSeconds,
        lostSymptom: 'lost_after_acknowledgement',
      })
      return finding.kind === 'failed' ? finding : judgeOnce(stage, others, { did, patienceSeconds })
    }),
}

export const copyAfterRestart: Scenario = {
  name: 'copy-after-restart',
  group: 'crashes',
  promise: 'A copy is still known after the process was started anew.',
  run: (stage) =>
    withServer(stage, async (server) => {
      const event = stage.events.fresh()
      if (!(await stage.courier.sendUntilAcknowledged({ event, label: 'delivery' })))
        return notAcknowledged('The event')
      if (stage.counter.canSee) await stage.counter.expectOnce([event])
      await server.kill()
      stage.timeline.mark('killed', 'bad')
      await server.start()
      stage.timeline.mark('started again', 'neutral')
      if (!(await stage.courier.sendUntilAcknowledged({ event, label: 'copy' }))) return notAcknowledged('The copy')
      return judgeOnce(stage, [event], {
        did: 'a copy after a restart',
        patienceSeconds: stage.settings.recoverySeconds,
        lostSymptom: 'lost_after_acknowledgement',
      })
    }),
}

/** Crashes need somebody who may end the server, and whoever fails in between leaves it running for the next scenario. */
async function withServer(stage: Stage, run: (server: ServerUnderTest) => Promise<Finding>): Promise<Finding> {
  const { server, counter } = stage
  if (server === undefined) return skipped('The prover may only kill what it has started: give --start')
  if (!counter.canSee) return skipped('What a crash did shows in the effects alone: give a probe')
  const finding = await run(server)
  const isRunning = await stage.courier.sendUntilAcknowledged({ event: stage.events.fresh(), label: 'still there?' })
  return finding.kind === 'passed' && !isRunning
    ? failed('not_running', `${finding.saw}, but it takes no more events`)
    : finding
}

type Moment =
  | { readonly kind: 'acknowledgements'; readonly count: number }
  | { readonly kind: 'time'; readonly milliseconds: number }

/** One time after so many acknowledgements, one time at a moment within the burst that the seed chooses. */
function killMoment({ random }: Stage, kill: number, burstMilliseconds: number): Moment {
  const count = acknowledgementsBeforeKill[Math.floor(kill / 2) % acknowledgementsBeforeKill.length] ?? 1
  if (kill % 2 === 0) return { kind: 'acknowledgements', count }
  return { kind: 'time', milliseconds: random.fraction() * burstMilliseconds }
}

type Interruption = {
  readonly round: number
  readonly moment: Moment
  readonly end: () => Promise<unknown>
}

/** A burst of new events, ended in the middle. Answers with who was acknowledged and who was not. */
async function interrupt(
  { courier, events }: Stage,
  { round, moment, end }: Interruption,
): Promise<{ readonly acknowledged: readonly ProverEvent[]; readonly unanswered: readonly ProverEvent[] }> {
  const burst = Array.from({ length: eventsAtOnce }, () => events.fresh())
  let acknowledgements = 0
  let ending: Promise<unknown> | undefined
  const endOnce = (): void => {
    ending ??= end()
  }
  const replies = courier.sendTogether(
    burst.map((event, index) => ({ event, label: `round ${round}, event ${index + 1}` })),
    (reply) => {
      if (!isAcknowledged(reply)) return
      acknowledgements += 1
      if (moment.kind === 'acknowledgements' && acknowledgements >= moment.count) endOnce()
    },
  )
  if (moment.kind === 'time') void pause(moment.milliseconds).then(endOnce)
  const settled = await replies
  endOnce()
  await ending
  const acknowledged = burst.filter((_, index) => isAcknowledged(settled[index] ?? { kind: 'hung_up' }))
  return { acknowledged, unanswered: burst.filter((event) => !acknowledged.includes(event)) }
}

const redeliveriesAtOnce = 8

async function redeliver({ courier }: Stage, events: readonly ProverEvent[]): Promise<boolean> {
  const waiting = [...events]
  let areAllTaken = true
  const work = async (): Promise<void> => {
    for (let event = waiting.pop(); event !== undefined; event = waiting.pop()) {
      const isTaken = await courier.sendUntilAcknowledged({ event, label: 'sent again' })
      areAllTaken &&= isTaken
    }
  }
  await Promise.all(Array.from({ length: redeliveriesAtOnce }, work))
  return areAllTaken
}

/** How long a burst takes when nobody ends it. */
async function measureBurst({ courier, events }: Stage): Promise<number> {
  const startedAt = performance.now()
  await courier.sendTogether(
    Array.from({ length: eventsAtOnce }, (_, index) => ({ event: events.fresh(), label: `calm, event ${index + 1}` })),
  )
  return performance.now() - startedAt
}

async function isDoubled({ counter }: Stage, events: readonly ProverEvent[]): Promise<boolean> {
  return [...(await counter.now(events)).values()].some((count) => count > 1)
}
