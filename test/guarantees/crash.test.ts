import { describe, expect } from 'vitest'
import { post, test } from '../support/guarantees.ts'

const inlineMoments = ['in_handler', 'before_commit', 'after_commit'] as const
const receiverMoments = ['before_record', 'after_record'] as const
const workerMoments = ['after_claim', 'in_handler', 'before_commit', 'after_commit'] as const

describe('a process killed with SIGKILL', () => {
  test.for(inlineMoments)('inline, %s: the redelivery leads to exactly one effect', async (killAt, { guarantees }) => {
    const { app, signed, effects, receipts } = guarantees
    const delivery = signed('evt_crash')
    const doomed = await app({ mode: 'inline', roles: ['receiver'], killAt })
    const lost = await post(doomed.url, delivery)
    expect(await doomed.ended).toBe('SIGKILL')
    const next = await app({ mode: 'inline', roles: ['receiver'] })

    const answered = await post(next.url, delivery)

    expect([lost, answered]).toEqual([undefined, 200])
    expect(await effects()).toBe(1)
    expect(await receipts()).toEqual([{ event_id: 'evt_crash', status: 'processed', attempts: 1 }])
  })

  test.for(receiverMoments)(
    'queued receiver, %s: the redelivery leads to exactly one effect',
    async (killAt, { guarantees }) => {
      const { app, signed, effects, receipts, settled } = guarantees
      const delivery = signed('evt_crash')
      const doomed = await app({ roles: ['receiver'], killAt })
      const lost = await post(doomed.url, delivery)
      expect(await doomed.ended).toBe('SIGKILL')
      expect(await receipts()).toHaveLength(killAt === 'before_record' ? 0 : 1)
      const next = await app({})

      const answered = await post(next.url, delivery)
      await settled()

      expect(lost).toBeUndefined()
      expect([200, 202]).toContain(answered)
      expect(await effects()).toBe(1)
      expect(await receipts()).toEqual([{ event_id: 'evt_crash', status: 'processed', attempts: 1 }])
    },
  )

  test.for(workerMoments)(
    'worker, %s: another worker finishes it, with exactly one effect',
    async (killAt, { guarantees }) => {
      const { app, signed, effects, receipts, settled, expireLeases, queueLength } = guarantees
      const receiver = await app({ roles: ['receiver'] })
      expect(await post(receiver.url, signed('evt_crash'))).toBe(202)
      const doomed = app({ roles: ['worker'], killAt })
      // It may die before it could say that it is ready.
      await doomed.then(({ ended }) => ended).catch(() => undefined)
      await expireLeases()

      await app({ roles: ['worker'] })
      await settled()

      expect(await effects()).toBe(1)
      expect(await queueLength()).toBe(0)
      expect(await receipts()).toMatchObject([{ event_id: 'evt_crash', status: 'processed' }])
    },
  )

  test('a receiver whose acknowledgement was lost answers the redelivery as a duplicate', async ({
    guarantees,
    database,
  }) => {
    const { app, signed, effects, settled } = guarantees
    const delivery = signed('evt_lost_answer')
    const doomed = await app({ roles: ['receiver'], killAt: 'after_record' })
    await post(doomed.url, delivery)
    const next = await app({})
    await settled()

    const answered = await post(next.url, delivery)

    expect(answered).toBe(200)
    expect(await effects()).toBe(1)
    expect(await database.query(`select attempts from "${database.schema}".receipts`)).toEqual([{ attempts: 1 }])
  })
})

describe('a worker frozen with SIGSTOP past its lease', () => {
  test('commits nothing when it goes on, because another one has the event', async ({ guarantees }) => {
    const { app, signed, effects, receipts, settled, expireLeases } = guarantees
    const receiver = await app({ roles: ['receiver'] })
    await post(receiver.url, signed('evt_frozen'))
    const frozen = await app({ roles: ['worker'], handler: 'wait' })
    await frozen.reported(({ kind }) => kind === 'in_handler')
    frozen.child.kill('SIGSTOP')
    await expireLeases()
    const second = await app({ roles: ['worker'] })
    await settled()

    frozen.release()
    frozen.child.kill('SIGCONT')
    const late = await frozen.reported(({ kind }) => kind === 'handled')

    expect(late).toMatchObject({ kind: 'handled', outcome: 'lease_lost' })
    // It also told of the run that the frozen one had abandoned.
    expect(
      await second.reported((report) => report.kind === 'handled' && report.outcome === 'succeeded'),
    ).toMatchObject({ kind: 'handled' })
    expect(await effects('evt_frozen')).toBe(1)
    expect(await receipts()).toMatchObject([{ status: 'processed', attempts: 2 }])
  })

  test('commits nothing although the other one is still at work', async ({ guarantees }) => {
    const { app, signed, effects, receipts, settled, expireLeases } = guarantees
    const receiver = await app({ roles: ['receiver'] })
    await post(receiver.url, signed('evt_frozen'))
    const frozen = await app({ roles: ['worker'], handler: 'wait' })
    await frozen.reported(({ kind }) => kind === 'in_handler')
    frozen.child.kill('SIGSTOP')
    await expireLeases()
    const second = await app({ roles: ['worker'], handler: 'wait' })
    await second.reported(({ kind }) => kind === 'in_handler')

    frozen.release()
    frozen.child.kill('SIGCONT')
    const late = await frozen.reported(({ kind }) => kind === 'handled')
    expect(await effects('evt_frozen')).toBe(0)
    second.release()
    await settled()

    expect(late).toMatchObject({ outcome: 'lease_lost' })
    expect(await effects('evt_frozen')).toBe(1)
    expect(await receipts()).toMatchObject([{ status: 'processed', attempts: 2 }])
  })
})

describe('an event whose handler kills the process every time', () => {
  test('ends as a dead letter after the configured attempts, and the others go on', async ({
    guarantees,
    database,
  }) => {
    const { app, signed, effects, receipts, expireLeases, queueLength } = guarantees
    const receiver = await app({ roles: ['receiver'] })
    await post(receiver.url, signed('evt_poison', 'poison'))
    await post(receiver.url, signed('evt_good'))

    for (let life = 1; life <= 3; life += 1) {
      const worker = app({ roles: ['worker'], handler: 'kill', maxAttempts: 3, concurrency: 1 })
      await worker.then(({ ended }) => ended).catch(() => undefined)
      await expireLeases()
    }
    const survivor = await app({ roles: ['worker'], handler: 'kill', maxAttempts: 3, concurrency: 1 })
    await guarantees.settled()

    const dead = (await receipts()).find(({ event_id }) => event_id === 'evt_poison')
    expect(dead).toMatchObject({ status: 'failed', attempts: 3 })
    expect(survivor.child.exitCode).toBeNull()
    expect(await effects('evt_poison')).toBe(0)
    expect(await effects('evt_good')).toBe(1)
    expect(await queueLength()).toBe(0)
    const log = await database.query(`select outcome from "${database.schema}".attempts where event_id = 'evt_poison'`)
    expect(log).toEqual([{ outcome: 'abandoned' }, { outcome: 'abandoned' }, { outcome: 'abandoned' }])
  })
})

describe('a worker that is told to stop', () => {
  test('hands back what does not finish, so that another need not wait for the lease', async ({ guarantees }) => {
    const { app, signed, effects, receipts, settled } = guarantees
    const receiver = await app({ roles: ['receiver'] })
    await post(receiver.url, signed('evt_handed_back'))
    const stopping = await app({ roles: ['worker'], handler: 'wait', graceSeconds: 0, leaseSeconds: 3600 })
    await stopping.reported(({ kind }) => kind === 'in_handler')
    const other = await app({ roles: ['worker'], leaseSeconds: 3600 })

    stopping.child.kill('SIGTERM')
    expect(await stopping.ended).toBe('0')
    await settled()

    expect(await other.reported(({ kind }) => kind === 'handled')).toMatchObject({ outcome: 'succeeded' })
    expect(await effects()).toBe(1)
    expect(await receipts()).toMatchObject([{ status: 'processed', attempts: 1 }])
  })

  test('lets a handler that finishes within the grace commit', async ({ guarantees }) => {
    const { app, signed, effects, receipts } = guarantees
    const receiver = await app({ roles: ['receiver'] })
    await post(receiver.url, signed('evt_finished'))
    const stopping = await app({ roles: ['worker'], handler: 'wait', graceSeconds: 60 })
    await stopping.reported(({ kind }) => kind === 'in_handler')

    stopping.child.kill('SIGTERM')
    stopping.release()

    expect(await stopping.ended).toBe('0')
    expect(await effects()).toBe(1)
    expect(await receipts()).toMatchObject([{ status: 'processed', attempts: 1 }])
  })
})

describe('a process that only waits for work', () => {
  test('stays alive when its connections are cut, and works on', async ({ guarantees, database }) => {
    const { app, signed, effects, settled } = guarantees
    const receiver = await app({ roles: ['receiver'] })
    const worker = await app({ roles: ['worker'] })
    const others = `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and query like '%${database.schema}%'`

    await database.query(others)
    await post(receiver.url, signed('evt_after'))
    await post(receiver.url, signed('evt_after'))
    await settled()

    expect(worker.child.exitCode).toBeNull()
    expect(await effects('evt_after')).toBe(1)
  })
})
