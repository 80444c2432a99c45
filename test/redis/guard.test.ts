import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { permanent } from '../../src/errors.ts'
import { createGuard, type Guard, type GuardOptions } from '../../src/redis/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { until } from '../support/until.ts'
import { test as base, startRedis } from '../targets/test-with-redis.ts'
import { redisClients } from './redis-clients.ts'

type MakeGuard = (library: string, port: number, options?: Partial<GuardOptions>) => Promise<Guard>

const test = base.extend<{ readonly makeGuard: MakeGuard }>({
  makeGuard: async ({}, use) => {
    const closes: (() => unknown)[] = []
    await use(async (library, port, options = {}) => {
      const opened = await redisClients[library]?.(port)
      if (opened === undefined) throw new Error(`There is no client ${library}.`)
      closes.push(opened.close)
      return createGuard({ redis: opened.client, ...options })
    })
    for (const close of closes) close()
  },
})

/** Work that ends when it is told to. */
function heldWork() {
  let end: (result: string) => void = () => {}
  let begun = 0
  const work = (): Promise<string> => {
    begun += 1
    return new Promise((resolve) => {
      end = resolve
    })
  }
  const hasBegun = () =>
    until(
      () => begun,
      (count) => count > 0,
    )
  return { work, end: (result: string) => end(result), hasBegun, begun: () => begun }
}

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

const fails = (): never => {
  throw new Error('not today')
}

describe.skipIf(startRedis === undefined).for(Object.keys(redisClients))('a guard, through %s', (library) => {
  test('runs the work once, however many call at once, and gives its result to all', async ({ redis, makeGuard }) => {
    const [one, two] = [await makeGuard(library, redis.port), await makeGuard(library, redis.port)]
    const key = randomUUID()
    let runs = 0
    const work = async () => {
      runs += 1
      return { amount: 12, note: 'grüße' }
    }

    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : two).run(key, work)),
    )

    expect(runs).toBe(1)
    expect(outcomes.filter((outcome) => outcome.kind === 'ran')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome.kind === 'known')).toHaveLength(49)
    for (const outcome of outcomes) expect(outcome).toMatchObject({ result: { amount: 12, note: 'grüße' } })
    expect(await one.look(key)).toMatchObject({ kind: 'done', attempts: 1, result: { amount: 12 } })
  })

  test('refuses at once, or waits for as long as it is told, while somebody else is at it', async ({
    redis,
    makeGuard,
  }) => {
    const guard = await makeGuard(library, redis.port)
    const key = randomUUID()
    const { work, end, hasBegun } = heldWork()
    const running = guard.run(key, work)
    await hasBegun()

    const refused = await guard.run(key, fails, { whenBusy: 'refuse' })
    const impatient = await guard.run(key, fails, { waitSeconds: 0.05 })
    const patient = guard.run(key, fails)
    const state = await guard.look(key)
    end('done')

    expect([refused, impatient]).toMatchObject([
      { kind: 'busy' },
      { kind: 'busy', retryAfterSeconds: expect.any(Number) },
    ])
    expect(state).toMatchObject({ kind: 'processing', attempts: 1 })
    expect(await running).toMatchObject({ kind: 'ran', result: 'done', attempt: 1 })
    expect(await patient).toEqual({ kind: 'known', result: 'done' })
  })

  test('lets the next one try what failed, and nobody once it failed too often', async ({ redis, makeGuard }) => {
    const guard = await makeGuard(library, redis.port, { maxAttempts: 3 })
    const key = randomUUID()
    const attempts: number[] = []
    const work = ({ attempt }: { readonly attempt: number }) => {
      attempts.push(attempt)
      return fails()
    }

    await expect(guard.run(key, work)).rejects.toThrow('not today')
    const between = await guard.look(key)
    await expect(guard.run(key, work)).rejects.toThrow('not today')
    await expect(guard.run(key, work)).rejects.toThrow('not today')
    const dead = await guard.run(key, work)
    const isForgotten = await guard.forget(key)
    const revived = await guard.run(key, () => 'at last')

    expect(attempts).toEqual([1, 2, 3])
    expect(between).toEqual({ kind: 'free', attempts: 1, error: 'Error: not today' })
    expect(dead).toEqual({ kind: 'dead', attempts: 3, error: 'Error: not today' })
    expect(isForgotten).toBe(true)
    expect(revived).toMatchObject({ kind: 'ran', result: 'at last', attempt: 1 })
  })

  test('does not try again what failed for good', async ({ redis, makeGuard }) => {
    const guard = await makeGuard(library, redis.port)
    const key = randomUUID()

    await expect(guard.run(key, () => Promise.reject(permanent(new Error('gone'))))).rejects.toThrow('gone')

    expect(await guard.run(key, fails)).toEqual({ kind: 'dead', attempts: 1, error: 'Error: gone' })
  })

  test('keeps results that JSON can hold, and says so if it cannot keep one', async ({ redis, makeGuard }) => {
    const guard = await makeGuard(library, redis.port)
    const [nothing, large, circular] = [randomUUID(), randomUUID(), randomUUID()]
    const self: Record<string, unknown> = {}
    self['self'] = self

    const undefinedResult = await guard.run(nothing, () => {})
    const tooLarge = guard.run(large, () => 'x'.repeat(70_000))
    await expect(tooLarge).rejects.toMatchObject({ code: 'ONCEHOOK_INVALID_EFFECT' })
    await expect(guard.run(circular, () => self)).rejects.toMatchObject({ code: 'ONCEHOOK_INVALID_EFFECT' })

    expect(undefinedResult).toMatchObject({ kind: 'ran', result: undefined })
    for (const key of [nothing, large, circular]) {
      expect(await guard.run(key, fails)).toEqual({ kind: 'known', result: undefined })
    }
  })

  test('goes on when Redis has forgotten its scripts, and puts back a claim that Redis has forgotten', async ({
    mortalRedis,
    makeGuard,
  }) => {
    const clock = createManualClock()
    const guard = await makeGuard(library, mortalRedis.port, { clock })
    const { work, end, hasBegun } = heldWork()
    const running = guard.run('key', work)
    await hasBegun()
    const { fence } = (await guard.look('key')) as { readonly fence: number }

    await flushAll(mortalRedis.port)
    await clock.advance(10_000)
    const renewed = await until(
      () => guard.look('key'),
      ({ kind }) => kind === 'processing',
    )
    const other = await guard.run('key', fails, { whenBusy: 'refuse' })
    end('done')

    expect(renewed).toMatchObject({ fence, attempts: 1 })
    expect(other.kind).toBe('busy')
    expect(await running).toMatchObject({ kind: 'ran', fence })
    await flushAll(mortalRedis.port)
    const again = await guard.run('key', () => 'again')
    expect((again as { readonly fence: number }).fence).toBeGreaterThan(fence)
  })

  test('runs nothing while Redis is away, and says so if it went away while the work ran', async ({
    mortalRedis,
    makeGuard,
  }) => {
    const clock = createManualClock()
    const guard = await makeGuard(library, mortalRedis.port, { clock })
    const { work, end, hasBegun } = heldWork()
    let lost: unknown
    let runs = 0
    const count = (): number => (runs += 1)
    const running = guard.run('cut off', ({ signal }) => {
      signal.addEventListener('abort', () => (lost = signal.reason))
      return work()
    })
    await hasBegun()

    await mortalRedis.kill()
    const unrecorded = failureOf(running)
    const refused = failureOf(guard.run('new', count))
    await clock.advance(30_000)
    end('done all the same')
    await clock.advance(60_000)
    expect(await unrecorded).toMatchObject({ code: 'ONCEHOOK_GUARD_UNRECORDED' })
    expect(await refused).toMatchObject({ code: 'ONCEHOOK_GUARD_UNAVAILABLE' })
    expect(lost).toMatchObject({ code: 'ONCEHOOK_LEASE_LOST' })
    expect(runs).toBe(0)
    await mortalRedis.restart()
    const other = await makeGuard(library, mortalRedis.port)
    const again = await until(
      () => other.run('new', count).catch(() => undefined),
      (outcome) => outcome !== undefined,
    )

    expect(again).toMatchObject({ kind: 'ran' })
    expect(runs).toBe(1)
  })
})

describe.skipIf(startRedis === undefined)('work that does not end', () => {
  test('is given up, told so, and its claim is left to run out', async ({ redis, makeGuard }) => {
    const clock = createManualClock()
    const guard = await makeGuard('ioredis', redis.port, { leaseSeconds: 0.3, timeoutSeconds: 0.09, clock })
    const other = await makeGuard('ioredis', redis.port)
    const key = randomUUID()
    const { work, hasBegun } = heldWork()
    let reason: unknown

    const endless = guard.run(key, ({ signal }) => {
      signal.addEventListener('abort', () => (reason = signal.reason))
      return work()
    })
    const givenUp = failureOf(endless)
    await hasBegun()
    await clock.advance(90)
    expect(await givenUp).toMatchObject({ code: 'ONCEHOOK_GUARD_TIMED_OUT' })
    const next = await other.run(key, () => 'taken over')

    expect(reason).toMatchObject({ code: 'ONCEHOOK_GUARD_TIMED_OUT' })
    expect(next).toMatchObject({ kind: 'ran', attempt: 2 })
  })
})

describe('the options', () => {
  test('are refused all at once when they make no sense', () => {
    const options = { redis: {} as never, prefix: 'a b', leaseSeconds: 0, whenBusy: 'later' as never, keepSeconds: 1.5 }

    expect(() => createGuard(options)).toThrow(/redis[\s\S]+prefix[\s\S]+leaseSeconds[\s\S]+whenBusy/)
  })

  test('of a run are checked too, and so is its key', async () => {
    const guard = createGuard({ redis: { call: () => Promise.reject(new Error('not asked')) } })

    for (const key of ['', 'x'.repeat(1001), '\ud800', 1 as never]) {
      await expect(guard.run(key, fails)).rejects.toMatchObject({ code: 'ONCEHOOK_INVALID_OPTIONS' })
    }
    const tooShort = guard.run('key', fails, { keepSeconds: 30, leaseSeconds: 30 })
    await expect(tooShort).rejects.toMatchObject({ code: 'ONCEHOOK_INVALID_OPTIONS' })
  })
})

async function flushAll(port: number): Promise<void> {
  const opened = await redisClients['ioredis']?.(port)
  if (opened !== undefined && 'call' in opened.client) {
    await opened.client.call('FLUSHALL')
    await opened.client.call('SCRIPT', 'FLUSH')
  }
  opened?.close()
}
