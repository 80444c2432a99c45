import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { post, test } from '../support/guarantees.ts'

const keys = { old: randomBytes(32).toString('base64'), new: randomBytes(32).toString('base64') }
const count = 300

test('a key is changed under load, by two processes that write with different ones and two that rekey', async ({
  guarantees,
  database,
}) => {
  const { app, signed, secret, settled, effects } = guarantees
  const { url, schema, query } = database
  const inboxes = [1, 2].map(() =>
    createInbox({
      store: postgresStore(url, { schema, maximumConnections: 2 }),
      sources: { stripe: stripe({ secret }) },
      encryption: { keys, current: 'new' },
    }),
  )
  const [first, second] = await Promise.all([
    app({ handler: 'payload', encryption: { keys, current: 'old' } }),
    app({ handler: 'payload', encryption: { keys, current: 'new' } }),
  ])
  const keysInUse = async (): Promise<readonly unknown[]> =>
    (
      await query<{ key: string }>(`select distinct headers::json->>'keyId' as key from "${schema}".bodies order by 1`)
    ).map(({ key }) => key)

  const ids = Array.from({ length: count }, (_, index) => `evt_${index}`)
  const sending = Promise.all(
    ids.map(async (id) => Promise.all([post(first.url, signed(id)), post(second.url, signed(id))])),
  )
  const sent = sending.then(() => 'sent' as const)
  let moved = 0
  do {
    for (const { bodies, unreadable } of await Promise.all(inboxes.map((inbox) => inbox.rekey()))) {
      moved += bodies
      expect(unreadable).toBe(0)
    }
  } while ((await Promise.race([sent, Promise.resolve('sending')])) === 'sending')
  const statuses = (await sending).flat()
  await settled()
  await first.kill('SIGTERM')
  const last = await inboxes[0]?.rekey()

  expect(statuses.every((status) => status === 200 || status === 202)).toBe(true)
  expect(await effects()).toBe(count)
  expect(
    new Set(
      (await query<{ event_id: string }>(`select event_id from "${schema}".app_effects`)).map(
        ({ event_id }) => event_id,
      ),
    ),
  ).toEqual(new Set(ids))
  expect(moved + (last?.bodies ?? 0)).toBeGreaterThan(0)
  expect(await keysInUse()).toEqual(['new'])
  await Promise.all(inboxes.map((inbox) => inbox.close()))
})
