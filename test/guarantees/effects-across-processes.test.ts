import { describe, expect } from 'vitest'
import type { AppReport } from '../support/app-process.ts'
import { post, test } from '../support/guarantees.ts'
import { stripeDelivery, test as testWithInbox } from '../support/inbox.ts'
import { until } from '../support/until.ts'

describe('100 handlers on one effect key over four processes', () => {
  test.for(['inline', 'queued'] as const)('apply it once, and 99 get its result, %s', async (mode, { guarantees }) => {
    const { app, signed, effects, receipts, settled } = guarantees
    const apps = await Promise.all([1, 2, 3, 4].map(() => app({ mode, handler: 'once' })))

    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => post(apps[index % 4]?.url ?? '', signed(`evt_${index}`))),
    )
    await settled()
    const told = await until(
      () => apps.flatMap(({ reports }) => reports.filter(({ kind }) => kind === 'effect')),
      (reports) => reports.length >= 100,
    )

    expect(answers.every((status) => status === 200 || status === 202)).toBe(true)
    expect(await receipts()).toHaveLength(100)
    expect(await effects()).toBe(1)
    const outcomes = told.filter((report): report is Extract<AppReport, { kind: 'effect' }> => report.kind === 'effect')
    expect(outcomes.filter(({ applied }) => applied)).toHaveLength(1)
    expect(new Set(outcomes.map(({ result }) => result)).size).toBe(1)
  })
})

describe('1,000 versioned events on 50 keys in random order', () => {
  testWithInbox(
    'end with every key at its highest version, over four workers of which some are killed',
    async ({ guarantees, database, makeInbox }) => {
      const { app, queueLength } = guarantees
      const { query, schema } = database
      const receiver = makeInbox({ mode: 'queued', source: { secret: guarantees.secret } })
      receiver.on('stripe', '*', () => undefined)
      const events = Array.from({ length: 1000 }, (_, index) => ({
        key: `key_${index % 50}`,
        version: 1 + Math.floor(index / 50),
      }))
      const shuffled = events.toSorted(() => Math.random() - 0.5)
      await receiver.migrate()
      const start = () => app({ roles: ['worker'], handler: 'latest', maxAttempts: 50, leaseSeconds: 3 })
      const workers = await Promise.all([start(), start(), start(), start()])

      const deliveries = shuffled.map(({ key, version }) => {
        const payload = { created: version, data: { object: { id: key } } }
        return stripeDelivery(`evt_${key}_${version}`, 'updated', payload, guarantees.secret)
      })
      const accepted = Promise.all(deliveries.map((delivery) => receiver.receive('stripe', delivery)))
      for (const worker of workers.slice(0, 2)) {
        const done = await worker.reported(({ kind }) => kind === 'handled')
        expect(done.kind).toBe('handled')
        await worker.kill()
        await start()
      }
      await accepted
      // The lease of a killed worker runs out by itself.
      await until(queueLength, (length) => length === 0, 60)

      expect(
        await query(`select distinct status from "${schema}".receipts where status not in ('processed', 'stale')`),
      ).toEqual([])
      expect(await query(`select 1 from "${schema}".receipts`)).toHaveLength(1000)
      expect(await query(`select id from "${schema}".states where version <> 20`)).toEqual([])
      expect(await query(`select id from "${schema}".states`)).toHaveLength(50)
    },
  )
})

describe('a process killed with SIGKILL between the write of a handler and the mark of the relay', () => {
  const moments = ['in_handler', 'before_commit', 'after_commit', 'before_send', 'after_send', 'after_publish'] as const

  test.for(moments)(
    '%s: one effect, and one message for a receiver that dedupes on the key',
    async (killAt, { guarantees, database }) => {
      const { app, signed, effects, settled, expireLeases } = guarantees
      const { query, schema } = database
      const receiver = await app({ roles: ['receiver'], handler: 'outbox' })
      expect(await post(receiver.url, signed('evt_out'))).toBe(202)
      await app({ roles: ['worker'], handler: 'outbox', killAt })
        .then(({ ended }) => ended)
        .catch(() => undefined)
      await expireLeases()
      await query(`update "${schema}".outbox set due_at = clock_timestamp() where leased_by is not null`)

      await app({ roles: ['worker'], handler: 'outbox' })
      await settled()
      await until(
        () => query(`select status from "${schema}".outbox where status = 'published'`),
        (rows) => rows.length === 1,
      )

      const arrivals = await query<{ key: string }>(`select key from "${schema}".arrivals`)
      expect(await effects('evt_out')).toBe(1)
      expect(new Set(arrivals.map(({ key }) => key)).size).toBe(1)
      // At least once: only a crash between sending and marking sends a second copy, with the same key.
      expect(arrivals).toHaveLength(killAt === 'after_send' ? 2 : 1)
      const [message] = await query<{ attempts: number }>(`select attempts from "${schema}".outbox`)
      // Right after the commit the relay may have taken the message when the process is killed, or not.
      const possible = { in_handler: [1], before_commit: [1], after_commit: [1, 2], after_publish: [1] }
      expect(killAt === 'before_send' || killAt === 'after_send' ? [2] : possible[killAt]).toContain(message?.attempts)
    },
  )
})
