import { createRedisCommands, type RedisClient } from '../../src/redis/client.ts'
import { runGuarded } from '../../src/redis/guard-run.ts'
import { type Claimed, createGuardCommands, type GuardCommands, type Held } from '../../src/redis/guard-scripts.ts'
import type { GuardOutcome } from '../../src/redis/guard-types.ts'
import { createPatience } from '../../src/redis/patience.ts'
import { createManualClock, type ManualClock, settle } from '../support/manual-clock.ts'

/** What Redis executed, and what the work did outside, in the order in which it happened. */
export type HistoryEntry = { readonly at: number } & (
  | { readonly kind: 'claim'; readonly token: string; readonly said: Claimed }
  | { readonly kind: 'renew' | 'release'; readonly held: Held; readonly how?: string; readonly said: boolean }
  | { readonly kind: 'complete'; readonly held: Held; readonly result: string; readonly said: boolean }
  | { readonly kind: 'effect'; readonly fence: number }
)

export type Schedule = {
  readonly seed: number
  readonly history: readonly HistoryEntry[]
  readonly outcomes: readonly GuardOutcome<unknown>[]
  /** What was done, for reading a schedule that fails. */
  readonly steps: readonly string[]
}

export const limits = { leaseMilliseconds: 1000, maxAttempts: 5 } as const

const settings = {
  leaseSeconds: limits.leaseMilliseconds / 1000,
  keepSeconds: 3600,
  maxAttempts: limits.maxAttempts,
  waitSeconds: 2,
  timeoutSeconds: 300,
} as const

const holderCount = 3
const runsOfEach = 4
const stepCount = 80

type Fate = 'answered' | 'lost on the way there' | 'lost on the way back'
type WorkStep = { readonly name: 'acts outside' | 'returns' | 'throws'; readonly take: () => void }

/** A process that calls `guard.run`. It goes no further than the scheduler lets it. */
type Holder = {
  readonly name: string
  readonly clock: ManualClock
  /** What it has sent and not been answered yet. */
  readonly commands: ((fate: Fate) => Promise<void>)[]
  /** What its work can do next. */
  readonly work: WorkStep[]
  isPaused: boolean
  /** Time that passed while it was paused. */
  missed: number
  runsLeft: number
}

/**
 * One random run of several holders on one key of a real Redis, through the code that users run. Every command, every step of the work and
 * the time itself wait for the scheduler, so that the seed decides everything.
 */
export async function runSchedule(client: RedisClient, seed: number): Promise<Schedule> {
  const random = randomOf(seed)
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const history: HistoryEntry[] = []
  const outcomes: GuardOutcome<unknown>[] = []
  const steps: string[] = []
  const redisKey = `schedule:${seed}`
  let time = 1_000_000
  const guard = createGuardCommands(createRedisCommands(withTime(client, () => time)))
  let holders = Array.from({ length: holderCount }, (_, index) => createHolder(`holder ${index}`))

  for (let step = 0; step < stepCount; step += 1) await takeStep()
  // Whoever still lives goes on, and one that nothing happens to comes last: it has to find an end.
  for (const holder of holders) await resume(holder)
  const last = createHolder('last')
  holders = [...holders, last]
  const ending = { isOver: false }
  void begin(last, 'wait').then(() => {
    ending.isOver = true
  })
  for (let round = 0; round < 100 && !ending.isOver; round += 1) await goOn()
  return { seed, history, outcomes, steps }

  function createHolder(name: string): Holder {
    return {
      name,
      clock: createManualClock(new Date(time)),
      commands: [],
      work: [],
      isPaused: false,
      missed: 0,
      runsLeft: runsOfEach,
    }
  }

  async function takeStep(): Promise<void> {
    const awake = holders.filter(({ isPaused }) => !isPaused)
    const actions = [
      () => pass(Math.floor(random() * 900)),
      ...awake.flatMap((holder) => actionsOf(holder)),
      // Long enough, often, for others to take over.
      ...holders.filter(({ isPaused }) => isPaused && random() < 0.25).map((holder) => () => resume(holder)),
    ]
    await pick(actions)?.()
  }

  function actionsOf(holder: Holder): (() => Promise<void>)[] {
    const { name, commands, work } = holder
    // Most commands are answered and most processes live on, or nothing would ever get far.
    const fate =
      pick<Fate>([...Array(8).fill('answered'), 'lost on the way there', 'lost on the way back']) ?? 'answered'
    const command = async (): Promise<void> => {
      steps.push(`${name}: a command is ${fate}`)
      await commands.shift()?.(fate)
    }
    const workStep = async (): Promise<void> => {
      const next = pick(work)
      steps.push(`${name}: the work ${next?.name}`)
      next?.take()
      await settle()
    }
    return [
      ...(commands.length > 0 ? [command, command, command] : []),
      ...(work.length > 0 ? [workStep, workStep] : []),
      ...(commands.length === 0 && work.length === 0 && holder.runsLeft > 0
        ? [async () => void begin(holder, random() < 0.5 ? 'wait' : 'refuse')]
        : []),
      ...(random() < 0.3 ? [async () => pause(holder)] : []),
      ...(random() < 0.05 ? [async () => crash(holder)] : []),
    ]
  }

  /** Everything that can go on does. */
  async function goOn(): Promise<void> {
    for (const { commands, work } of holders) {
      while (commands.length > 0) await commands.shift()?.('answered')
      work.at(-1)?.take()
      await settle()
    }
    await pass(100)
  }

  async function pass(milliseconds: number): Promise<void> {
    steps.push(`${milliseconds} ms pass`)
    time += milliseconds
    for (const holder of holders) {
      if (holder.isPaused) holder.missed += milliseconds
      else await holder.clock.advance(milliseconds)
    }
  }

  function pause(holder: Holder): void {
    steps.push(`${holder.name} is paused`)
    holder.isPaused = true
  }

  async function resume(holder: Holder): Promise<void> {
    if (!holder.isPaused) return
    steps.push(`${holder.name} goes on after ${holder.missed} ms`)
    holder.isPaused = false
    await holder.clock.advance(holder.missed)
    holder.missed = 0
  }

  /** Another process takes its place; nothing of it is ever heard of again. */
  function crash(holder: Holder): void {
    steps.push(`${holder.name} crashes`)
    holders = holders.map((one) => (one === holder ? createHolder(`${holder.name}'`) : one))
  }

  function begin(holder: Holder, whenBusy: 'wait' | 'refuse'): Promise<unknown> {
    steps.push(`${holder.name} begins`)
    holder.runsLeft -= 1
    const running = runGuarded(
      {
        commands: gated(holder),
        clock: holder.clock,
        patience: createPatience(holder.clock, () => 0.5),
        commandMilliseconds: 500,
      },
      { key: redisKey, redisKey, work: ({ fence }) => workOf(holder, fence), settings: { ...settings, whenBusy } },
    )
    return running.then(
      (outcome) => {
        steps.push(`${holder.name}: ${JSON.stringify(outcome)}`)
        outcomes.push(outcome)
      },
      (error: unknown) => steps.push(`${holder.name}: ${String(error)}`),
    )
  }

  function workOf(holder: Holder, fence: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const end = (settleWork: () => void) => () => {
        holder.work.length = 0
        settleWork()
      }
      const returns: WorkStep = { name: 'returns', take: end(() => resolve(fence)) }
      const acts: WorkStep = {
        name: 'acts outside',
        take() {
          history.push({ kind: 'effect', fence, at: time })
          holder.work.splice(0, holder.work.length, returns)
        },
      }
      holder.work.push({ name: 'throws', take: end(() => reject(new Error('not today'))) }, acts)
    })
  }

  /** The commands of Redis, each of which waits until the scheduler decides its fate. */
  function gated(holder: Holder): GuardCommands {
    const wait = <Said>(execute: () => Promise<Said>, entryOf: (said: Said) => HistoryEntry): Promise<Said> =>
      new Promise((resolve, reject) => {
        holder.commands.push(async (fate) => {
          if (fate !== 'lost on the way there') {
            const said = await execute()
            history.push(entryOf(said))
            if (fate === 'answered') resolve(said)
          }
          if (fate !== 'answered') reject(new Error(fate))
          await settle()
        })
      })
    return {
      ...guard,
      claim: (key, token, claimLimits) =>
        wait(
          () => guard.claim(key, token, claimLimits),
          (said) => ({ kind: 'claim', token, said, at: time }),
        ),
      renew: (held, times) =>
        wait(
          () => guard.renew(held, times),
          (said) => ({ kind: 'renew', held, said, at: time }),
        ),
      complete: (held, kept) =>
        wait(
          () => guard.complete(held, kept),
          (said) => ({ kind: 'complete', held, result: kept.result, said, at: time }),
        ),
      release: (held, release) =>
        wait(
          () => guard.release(held, release),
          (said) => ({ kind: 'release', held, how: release.how, said, at: time }),
        ),
    }
  }
}

/** Gives scripts this time instead of Redis' own: it is their first parameter, after the text, the number of keys and the one key. */
function withTime(client: RedisClient, now: () => number): RedisClient {
  const { send } = createRedisCommands(client)
  return {
    call: (name, ...parameters) =>
      send([name, ...parameters.map((value, index) => (index === 3 ? String(now()) : value))], parameters[2]),
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
