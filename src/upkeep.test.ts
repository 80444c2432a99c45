import { describe, expect, test } from 'vitest'
import { createManualClock, type ManualClock, settle } from '../test/support/manual-clock.ts'
import type { UpkeepEvent } from './events.ts'
import type { UpkeepClaim, UpkeepEnding, UpkeepLease, UpkeepStore } from './store/upkeep-store.ts'
import { createUpkeep, type Upkeep, type UpkeepContext, type UpkeepTask } from './upkeep.ts'

const lease: UpkeepLease = { environment: undefined, task: 'sweep', fence: '7' }
const nothingForAnHour: UpkeepClaim = { kind: 'nothing_due', millisecondsUntilDue: 3_600_000 }

type Subject = {
  readonly upkeep: Upkeep
  readonly clock: ManualClock
  readonly claims: () => number
  readonly endings: readonly UpkeepEnding[]
  readonly told: readonly UpkeepEvent[]
}

type Behaviour = {
  readonly run?: UpkeepTask['run']
  /** What the store answers; then nothing is due for an hour. */
  readonly answers?: readonly UpkeepClaim[]
  readonly store?: Partial<UpkeepStore>
}

function makeUpkeep({ run = async () => ({}), answers = [], store = {} }: Behaviour = {}): Subject {
  const clock = createManualClock()
  const endings: UpkeepEnding[] = []
  const told: UpkeepEvent[] = []
  let claims = 0
  const upkeep = createUpkeep({
    store: {
      claim: async () => answers[claims++] ?? nothingForAnHour,
      renewLeases: async (leases) => leases.map(({ fence }) => fence),
      finish: async (_, ending) => endings.push(ending) > 0,
      ...store,
    },
    tasks: [{ name: 'sweep', scope: 'database', everySeconds: 1000, run }],
    environment: 'default',
    worker: 'here',
    clock,
    random: () => 0.5,
    emit: (event) => event.kind === 'upkeep' && told.push(event),
    leaseSeconds: 30,
  })
  return { upkeep, clock, claims: () => claims, endings, told }
}

describe('upkeep', () => {
  test('asks once at the start, and then not before something is due', async () => {
    const { upkeep, clock, claims } = makeUpkeep()
    upkeep.pump.start()

    await clock.advance(60_000)
    for (let number = 0; number < 5; number += 1) upkeep.pump.wake()
    await clock.advance(3_000_000)
    expect(claims()).toBe(1)

    await clock.advance(1_000_000)
    expect(claims()).toBe(2)
    await upkeep.pump.stop(0)
  })

  test('does what is due, tells of it, and makes it due again about when it should be', async () => {
    const { upkeep, claims, endings, told } = makeUpkeep({
      run: async ({ mayContinue }) => ({ counts: { rows: mayContinue() ? 3 : 0 } }),
      answers: [{ kind: 'claimed', lease }],
    })

    await upkeep.drain(1000)

    expect(claims()).toBe(2)
    expect(endings).toEqual([{ outcome: 'done', detail: undefined, nextInSeconds: 1000 }])
    expect(told).toMatchObject([{ task: 'sweep', outcome: 'done', counts: { rows: 3 } }])
  })

  test('asks nothing in a drain before anything can be due', async () => {
    const { upkeep, clock, claims } = makeUpkeep()

    for (let number = 0; number < 3; number += 1) await upkeep.drain(1000)
    expect(claims()).toBe(1)

    await clock.advance(3_600_000)
    await upkeep.drain(1000)
    expect(claims()).toBe(2)
  })

  test('keeps what went wrong, and tries again soon', async () => {
    const { upkeep, endings, told } = makeUpkeep({
      run: () => Promise.reject(new Error('no room')),
      answers: [{ kind: 'claimed', lease }],
    })

    await upkeep.drain(1000)

    expect(endings).toEqual([{ outcome: 'failed', detail: 'Error: no room', nextInSeconds: 300 }])
    expect(told).toMatchObject([{ outcome: 'failed', error: 'Error: no room' }])
  })

  test('lets a task end at its next step when the process stops, and leaves the rest to others at once', async () => {
    const { context, run } = waitingTask()
    const { upkeep, endings } = makeUpkeep({ run, answers: [{ kind: 'claimed', lease }] })
    upkeep.pump.start()
    await settle()
    expect(context().mayContinue()).toBe(true)

    const stopped = upkeep.pump.stop(60)
    expect(context().mayContinue()).toBe(false)
    expect(context().signal.aborted).toBe(false)
    context().end()
    await stopped

    expect(endings).toEqual([{ outcome: 'stopped', detail: undefined, nextInSeconds: 0 }])
  })

  test('renews the lease of a long task, and ends it when the lease is lost', async () => {
    let isHeld = true
    const { context, run } = waitingTask()
    const { upkeep, clock, told } = makeUpkeep({
      run,
      answers: [{ kind: 'claimed', lease }],
      store: { renewLeases: async () => (isHeld ? ['7'] : []), finish: async () => false },
    })
    upkeep.pump.start()
    await clock.advance(20_000)
    expect(context().mayContinue()).toBe(true)

    isHeld = false
    await clock.advance(10_000)
    expect(context().mayContinue()).toBe(false)
    expect(context().signal.reason).toMatchObject({ code: 'ONCEHOOK_LEASE_LOST' })
    context().end()
    await upkeep.pump.stop(0)

    expect(told).toMatchObject([{ outcome: 'lease_lost' }])
  })

  test('goes on after the store was away', async () => {
    let isAway = true
    const { upkeep, clock, endings } = makeUpkeep({
      store: {
        claim: async () => {
          if (isAway) throw new Error('connection refused')
          return endings.length === 0 ? { kind: 'claimed', lease } : nothingForAnHour
        },
      },
    })
    upkeep.pump.start()
    await clock.advance(10_000)

    isAway = false
    await clock.advance(10_000)

    expect(endings).toMatchObject([{ outcome: 'done' }])
    await upkeep.pump.stop(0)
  })
})

/** A task that runs until the test ends it. */
function waitingTask(): {
  readonly run: UpkeepTask['run']
  readonly context: () => UpkeepContext & { end: () => void }
} {
  let given: (UpkeepContext & { end: () => void }) | undefined
  return {
    run: (context) =>
      new Promise((resolve) => {
        given = { ...context, end: () => resolve({ outcome: 'unfinished' }) }
      }),
    context() {
      if (given === undefined) throw new Error('The task has not begun.')
      return given
    },
  }
}
