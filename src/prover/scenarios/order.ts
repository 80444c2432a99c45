import { setTimeout as pause } from 'node:timers/promises'
import type { ProverEvent } from '../events.ts'
import { type Finding, failed, passed, skipped } from '../findings.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { notAcknowledged } from './copies.ts'

export const olderAfterNewer: Scenario = {
  name: 'older-after-newer',
  group: 'order',
  promise: 'An older event that arrives after a newer one does not overwrite it.',
  run: (stage) => compareOrders(stage, { length: 2, reorder: ([older, newer]) => [newer, older] }),
}

export const randomOrder: Scenario = {
  name: 'random-order',
  group: 'order',
  promise: 'Events of one object in any order leave the state that they leave in the right order.',
  run: (stage) => compareOrders(stage, { length: 5, reorder: (indexes) => notSorted(stage, indexes) }),
}

/** An order whose last event is not the newest, as the right end would hide everything. */
function notSorted({ random }: Stage, indexes: readonly number[]): readonly number[] {
  const mixed = random.shuffled(indexes)
  return mixed.at(-1) === indexes.length - 1 ? [...mixed.slice(-1), ...mixed.slice(0, -1)] : mixed
}

type Orders = {
  readonly length: number
  readonly reorder: (indexes: readonly number[]) => readonly (number | undefined)[]
}

/** The prover does not know what the state means: it only compares what two objects have come to, one of them in the right order. */
async function compareOrders(stage: Stage, { length, reorder }: Orders): Promise<Finding> {
  if (stage.readState === undefined) {
    return skipped('The state has to be read to see this: give a state probe')
  }
  const [begin, right, mixed] = [
    stage.events.history(length),
    stage.events.history(length),
    stage.events.history(length),
  ]
  if (begin === undefined || right === undefined || mixed === undefined) {
    return skipped('A history of one object cannot be made for this provider')
  }
  const order = reorder(right.map((_, index) => index)).flatMap((index) => (index === undefined ? [] : [index]))
  const inOrder = [...order.keys()]
  if (!(await sendInOrder(stage, begin, [0], 'only the first'))) return notAcknowledged('An event')
  if (!(await sendInOrder(stage, right, inOrder, 'in order'))) return notAcknowledged('An event')
  if (!(await sendInOrder(stage, mixed, order, 'out of order'))) return notAcknowledged('An event out of order')

  const [first, wanted] = [await settledState(stage, begin), await settledState(stage, right)]
  if (first === wanted) {
    return skipped('The state is the same after the first and after the last event, so no order shows in it')
  }
  const found = await settledState(stage, mixed, wanted)
  const saw = `order ${order.map((index) => index + 1).join(', ')} → ${brief(found)}; in order → ${brief(wanted)}`
  stage.timeline.mark(found === wanted ? 'state is right' : 'state is wrong', found === wanted ? 'good' : 'bad')
  return found === wanted ? passed(saw) : failed('overwritten', saw)
}

async function sendInOrder(
  { courier }: Stage,
  events: readonly ProverEvent[],
  order: readonly number[],
  label: string,
): Promise<boolean> {
  for (const index of order) {
    const event = events[index]
    if (event === undefined) continue
    const isTaken = await courier.sendUntilAcknowledged({ event, label: `${label}: version ${index + 1}` })
    if (!isTaken) return false
  }
  return true
}

const rounds = 5

/** The state once it no longer changes, or as soon as it is the wanted one and stays so. Ids are taken out of it. */
async function settledState(stage: Stage, events: readonly ProverEvent[], wanted?: string): Promise<string> {
  const gap = Math.max(60, stage.latencyMilliseconds)
  let state = await readState(stage, events)
  for (let quiet = 0, asked = 0; quiet < rounds && asked < 100; asked += 1) {
    await pause(gap)
    const next = await readState(stage, events)
    quiet = next === state && (wanted === undefined || next === wanted || asked > rounds * 4) ? quiet + 1 : 0
    state = next
  }
  return state
}

async function readState({ readState }: Stage, events: readonly ProverEvent[]): Promise<string> {
  const last = events.at(-1)
  const state = await readState?.({ eventId: last?.id ?? '', objectId: last?.objectId })
  const text = typeof state === 'string' ? state : JSON.stringify(state ?? null)
  const ids = [...events.map(({ id }) => id), ...events.map(({ objectId }) => objectId ?? '')]
  return ids.filter((id) => id !== '').reduce((rest, id) => rest.replaceAll(id, '…'), text)
}

function brief(state: string): string {
  return state.length > 60 ? `${state.slice(0, 60)}…` : state
}
