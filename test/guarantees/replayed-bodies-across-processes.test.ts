import { describe, expect } from 'vitest'
import { post, test } from '../support/guarantees.ts'
import { until } from '../support/until.ts'

const ids = Array.from({ length: 50 }, (_, index) => `copy-${index}`)

describe.each(['inline', 'queued'] as const)(
  '50 copies of one signed body under 50 ids over three processes, %s',
  (mode) => {
    test('leave one receipt and one effect, if they are to be duplicates', async ({ guarantees, database }) => {
      const { app, signedByGithub, effects, receipts, settled, queueLength } = guarantees
      const { query, schema } = database
      const apps = await Promise.all([1, 2, 3].map(() => app({ mode, source: 'github', replayedBody: 'duplicate' })))

      const statuses = await Promise.all(ids.map((id, index) => post(apps[index % 3]?.url ?? '', signedByGithub(id))))
      await settled()
      const noted = await until(
        () => query<{ kind: string; detail: string }>(`select kind, detail from "${schema}".deliveries`),
        (rows) => rows.length === 49,
      )

      expect(statuses.filter((status) => status === 200 || status === 202)).toHaveLength(50)
      expect(await receipts()).toMatchObject([{ status: 'processed', attempts: 1 }])
      expect(await effects()).toBe(1)
      expect(await queueLength()).toBe(0)
      expect(new Set(noted.map(({ kind }) => kind))).toEqual(new Set(['replayed_body']))
      expect(new Set(noted.map(({ detail }) => detail)).size).toBe(49)
      expect(await query(`select deliveries from "${schema}".receipts`)).toEqual([{ deliveries: 50 }])
    })

    test('all take effect, and all but one are flagged, if nothing else was asked for', async ({
      guarantees,
      database,
    }) => {
      const { app, signedByGithub, effects, settled } = guarantees
      const { query, schema } = database
      const apps = await Promise.all([1, 2, 3].map(() => app({ mode, source: 'github' })))

      const statuses = await Promise.all(ids.map((id, index) => post(apps[index % 3]?.url ?? '', signedByGithub(id))))
      await settled()

      const rows = await query<{ id: string; repeats: string | null }>(
        `select event_id as id, repeats_event_id as repeats from "${schema}".receipts`,
      )
      const unflagged = rows.filter(({ repeats }) => repeats === null)
      expect(statuses.filter((status) => status === 200 || status === 202)).toHaveLength(50)
      expect(rows).toHaveLength(50)
      expect(unflagged).toHaveLength(1)
      expect(new Set(rows.map(({ repeats }) => repeats))).toEqual(new Set([null, unflagged[0]?.id]))
      for (const id of ids) expect(await effects(id)).toBe(1)
    })

    test('do not hide other bodies: 50 distinct ones among them take effect once each', async ({ guarantees }) => {
      const { app, signedByGithub, effects, receipts, settled } = guarantees
      const apps = await Promise.all([1, 2, 3].map(() => app({ mode, source: 'github', replayedBody: 'duplicate' })))
      const others = ids.map((id) => signedByGithub(`other-${id}`, { ref: id }))

      await Promise.all([
        ...ids.map((id, index) => post(apps[index % 3]?.url ?? '', signedByGithub(id))),
        ...others.flatMap((delivery) => apps.map(({ url }) => post(url, delivery))),
      ])
      await settled()

      expect(await receipts()).toHaveLength(51)
      expect(await effects()).toBe(51)
    })
  },
)

describe('a process that dies in the handler of a signed body', () => {
  test.for(['in_handler', 'before_commit'] as const)(
    'leaves the body to a copy under another id (%s)',
    async (killAt, { guarantees }) => {
      const { app, signedByGithub, effects, receipts } = guarantees
      const parts = { mode: 'inline', source: 'github', replayedBody: 'duplicate', roles: ['receiver'] } as const
      const dying = await app({ ...parts, killAt })
      const other = await app(parts)

      expect(await post(dying.url, signedByGithub('one'))).toBeUndefined()
      const status = await post(other.url, signedByGithub('two'))

      expect(status).toBe(200)
      expect(await receipts()).toMatchObject([{ event_id: 'two', status: 'processed' }])
      expect(await effects()).toBe(1)
    },
  )

  test('leaves it to nobody once it was committed', async ({ guarantees }) => {
    const { app, signedByGithub, effects, receipts } = guarantees
    const parts = { mode: 'inline', source: 'github', replayedBody: 'duplicate', roles: ['receiver'] } as const
    const dying = await app({ ...parts, killAt: 'after_commit' })
    const other = await app(parts)

    expect(await post(dying.url, signedByGithub('one'))).toBeUndefined()
    const status = await post(other.url, signedByGithub('two'))

    expect(status).toBe(200)
    expect(await receipts()).toMatchObject([{ event_id: 'one', status: 'processed' }])
    expect(await effects()).toBe(1)
  })
})
