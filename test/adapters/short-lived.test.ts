import { once } from 'node:events'
import { expect } from 'vitest'
import { forkProgram } from '../support/compiled.ts'
import { test } from '../support/database.ts'

test('what one short-lived process queues, the next drains, and neither leaves a timer or a connection', async ({
  database: { url, schema, query },
}) => {
  await query(`create table "${schema}".app_effects (event_id text)`)
  const run = async (task: string): Promise<unknown> => {
    const child = await forkProgram('test/adapters/short-lived-child.ts', {
      DATABASE_URL: url,
      SCHEMA: schema,
      TASK: task,
    })
    const [[told], [exitCode]] = await Promise.all([once(child, 'message'), once(child, 'exit')])
    return { ...(told as object), exitCode }
  }

  expect(await run('receive')).toEqual({ result: 202, left: [], exitCode: 0 })
  expect(await run('receive')).toEqual({ result: 200, left: [], exitCode: 0 })
  expect(await run('drain')).toMatchObject({ result: { processed: 1 }, left: [], exitCode: 0 })
  expect(await run('drain')).toMatchObject({ result: { processed: 0 }, left: [], exitCode: 0 })
  expect(await query(`select event_id from "${schema}".app_effects`)).toEqual([{ event_id: 'one' }])
  expect(await query(`select status, deliveries from "${schema}".receipts`)).toEqual([
    { status: 'processed', deliveries: 2 },
  ])
})
