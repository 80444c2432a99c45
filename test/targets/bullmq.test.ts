import { randomUUID } from 'node:crypto'
import { Queue, Worker } from 'bullmq'
import { describe, expect } from 'vitest'
import { bullmq } from '../../src/targets/bullmq.ts'
import { outgoingMessage, patient, traceparent } from './outgoing-message.ts'
import { test as redisTest, startRedis } from './test-with-redis.ts'

const published = { kind: 'published' }

type Email = { readonly to: string }

const test = redisTest.extend<{ readonly queueAt: (port: number) => Queue<Email> }>({
  queueAt: async ({}, use) => {
    const opened: Queue[] = []
    await use((port) => {
      const connection = { host: '127.0.0.1', port, retryStrategy: () => 10 }
      const queue = new Queue<Email>(randomUUID(), { connection })
      queue.on('error', () => {})
      opened.push(queue)
      return queue
    })
    await Promise.all(opened.map((queue) => queue.close()))
  },
})

describe.skipIf(startRedis === undefined)('a BullMQ queue', () => {
  test('has a job for each message, with the message as its data', async ({ redis: { port }, queueAt }) => {
    const queue = queueAt(port)
    const messages = [
      outgoingMessage({ message: { to: 'ada' } }),
      outgoingMessage({ message: { to: 'bob' }, traceparent }),
    ]

    const results = await bullmq({ queue, jobOptions: { attempts: 5 } }).deliver(messages, patient())

    expect(results).toEqual([published, published])
    const jobs = await queue.getJobs(['waiting'], 0, -1, true)
    expect(jobs.map(({ name, data, opts }) => ({ name, data, attempts: opts.attempts }))).toEqual([
      { name: 'accounting', data: { to: 'ada' }, attempts: 5 },
      { name: 'accounting', data: { to: 'bob' }, attempts: 5 },
    ])
    expect(jobs.map(({ opts }) => opts.telemetry?.metadata)).toEqual([undefined, JSON.stringify({ traceparent })])
  })

  test('has one job for a message that comes again, also when it is done already', async ({
    redis: { port },
    queueAt,
  }) => {
    const queue = queueAt(port)
    const target = bullmq({ queue, jobName: 'send' })
    const message = outgoingMessage({ message: { to: 'ada' } })
    const handled: string[] = []

    await target.deliver([message, message], patient())
    await target.deliver([{ ...message, attempt: 2 }], patient())
    const worker = new Worker<Email>(queue.name, async ({ id = '' }) => handled.push(id), {
      connection: { host: '127.0.0.1', port },
    })
    await new Promise((resolve) => worker.once('completed', resolve))
    await target.deliver([{ ...message, attempt: 3 }], patient())
    const counts = await queue.getJobCounts('completed', 'waiting', 'active')
    await worker.close()

    expect(handled).toEqual([`oncehook-${encodeURIComponent(message.idempotencyKey)}`])
    expect(counts).toEqual({ completed: 1, waiting: 0, active: 0 })
  })

  test.for(['42', 'a:b', 'a:b:c', '0:1', '-1', 'größe \u{1f389}', 'a%3Ab', '{a}'])(
    'takes the idempotency key %j',
    async (idempotencyKey, { redis: { port }, queueAt }) => {
      const queue = queueAt(port)
      const message = outgoingMessage({ idempotencyKey })

      const results = await bullmq({ queue }).deliver([message, { ...message, idempotencyKey: 'other' }], patient())

      expect(results).toEqual([published, published])
      expect(await queue.count()).toBe(2)
    },
  )

  test('refuses one message without its neighbours', async ({ redis: { port }, queueAt }) => {
    const queue = queueAt(port)
    const [small, large] = [outgoingMessage(), outgoingMessage({ message: { to: 'x'.repeat(2000) } })]

    const results = await bullmq({ queue, jobOptions: { sizeLimit: 1000 } }).deliver([small, large, small], patient())

    expect(results).toEqual([
      published,
      { kind: 'failed', error: expect.stringContaining('exceeds the limit'), retry: 'later' },
      published,
    ])
    expect(await queue.count()).toBe(1)
  })

  test('that is away fails in time, and has one job once it is back', async ({ mortalRedis, queueAt }) => {
    const queue = queueAt(mortalRedis.port)
    const target = bullmq({ queue })
    const message = outgoingMessage()
    await queue.waitUntilReady()

    await mortalRedis.kill()
    const whileAway = await target.deliver([message], AbortSignal.timeout(200))
    await mortalRedis.restart()
    const afterwards = await target.deliver([{ ...message, attempt: 2 }], patient())

    expect(whileAway).toMatchObject([{ kind: 'failed', retry: 'later' }])
    expect(afterwards).toEqual([published])
    expect(await queue.count()).toBe(1)
  })
})

describe('the options', () => {
  test('are refused all at once when they make no sense', () => {
    expect(() => bullmq({ queue: {} as never, batchSize: 0 })).toThrow(/queue[\s\S]+batchSize/)
  })
})
