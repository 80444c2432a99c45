import { describe, expect } from 'vitest'
import type { ImportReport } from '../../src/index.ts'
import { startFakeStripe, stripeKey } from '../recovery/fake-stripe.ts'
import type { TestDatabase } from '../support/database.ts'
import { test } from './command-line.ts'

describe('import', () => {
  test('says what it would do, does it, and shows what it did', async ({ commandLine, database }) => {
    const { schema, query } = database
    const place = placeOf(database)
    await commandLine.run(['migrate', ...place])
    await query(`create table "${schema}".seen (guid text primary key, state text)`)
    await query(`insert into "${schema}".seen select 'g-' || number, 'done' from generate_series(1, 3) as number`)
    await query(`insert into "${schema}".seen values ('g-4', 'working')`)
    const columns = ['--column', "event_id='12',guid", '--column', 'status=state', '--processed-status', 'done,ok']
    const words = ['import', '--table', `${schema}.seen`, '--source', 'github', ...columns, ...place]

    const tried = await commandLine.run([...words, '--dry-run'])
    const report = JSON.parse((await commandLine.run([...words, '--json'])).stdout) as ImportReport
    const listed = await commandLine.run(['receipts', ...place])
    const one = await commandLine.run(['receipts', '1', ...place])

    expect(tried.stdout).toMatch(/dry run, nothing was changed\)\n[^]*would be taken over as processed +3\n/)
    expect(report).toMatchObject({ isFinished: true, rows: 4, imported: 3, leftOut: 1 })
    expect(listed.stdout).toMatch(/processed +imported +12:g-3 \(import\) /)
    expect(one.stdout).toMatch(/Origin +imported from a table\n/)
    expect(one.stdout).not.toContain('SHA-256')
  })

  test('that is called wrongly says what is missing', async ({ commandLine }) => {
    const complaints = {
      '--table is missing': ['--source', 'stripe', '--column', 'event_id=id'],
      '--source is missing': ['--table', 't', '--column', 'event_id=id'],
      '--column event_id=… is missing': ['--table', 't', '--source', 'stripe'],
      'give one of event_id, type': ['--table', 't', '--source', 'stripe', '--column', 'id'],
      'type is given twice': ['--table', 't', '--source', 's', '--column', 'type=a', '--column', 'type=b'],
      '--others is either leave or': ['--table', 't', '--source', 's', '--column', 'event_id=a', '--others', 'x'],
    }

    for (const [complaint, words] of Object.entries(complaints)) {
      const { code, stderr } = await commandLine.run(['import', ...words])
      expect(code).toBe(2)
      expect(stderr).toContain(complaint)
    }
  })
})

describe('gaps and backfill', () => {
  test('show what never arrived, put it into the queue once, and keep the key to themselves', async ({
    commandLine,
    database,
  }) => {
    const at = Math.floor(Date.now() / 1000) - 3600
    const api = await startFakeStripe([
      { id: 'evt_1', type: 'invoice.paid', created: at },
      { id: 'evt_2', type: 'charge.failed', created: at + 1 },
    ])
    const environment = { STRIPE_API_KEY: stripeKey }
    const place = placeOf(database)
    const words = ['stripe', '--from', '1d', '--api-url', api.url, ...place]
    await commandLine.run(['migrate', ...place])

    const gaps = await commandLine.run(['gaps', ...words], environment)
    const tried = await commandLine.run(['backfill', ...words, '--types', 'invoice.*', '--dry-run'], environment)
    const filled = await commandLine.run(['backfill', ...words, '--types', 'invoice.*', '--json'], environment)
    const again = await commandLine.run(['gaps', ...words, '--types', 'invoice.paid'], environment)
    const listed = await commandLine.run(['receipts', ...place])
    await api.close()

    expect(gaps.code).toBe(1)
    expect(gaps.stdout).toMatch(/missing +2\n[^]*charge\.failed +1\n[^]*invoice\.paid +evt_1/)
    expect(tried.stdout).toMatch(/missing +1\n/)
    expect(JSON.parse(filled.stdout)).toMatchObject({ recorded: 1, notHandled: 1, isFinished: true })
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/missing +0$/m) as string })
    expect(listed.stdout).toMatch(/received +invoice\.paid +evt_1 \(backfill\)/)
    for (const { stdout, stderr } of [gaps, tried, filled, again]) expect(stdout + stderr).not.toContain(stripeKey)
  })

  test('that are called wrongly say what is missing', async ({ commandLine }) => {
    const environment = { STRIPE_API_KEY: 'x', GITHUB_TOKEN: 'x', SHOPIFY_ACCESS_TOKEN: 'x' }
    const complaints = {
      'Which source?': ['gaps', '--from', '1d'],
      '--from is missing': ['gaps', 'stripe'],
      '--from is "yesterday"': ['gaps', 'stripe', '--from', 'yesterday'],
      'This command knows stripe, github, shopify': ['gaps', 'payments', '--from', '1d'],
      '--hook is missing': ['gaps', 'github', '--from', '1d', '--repository', 'a/b'],
      '--repository or --organization': ['gaps', 'github', '--from', '1d', '--hook', '1'],
      '--shop is missing': ['gaps', 'shopify', '--from', '1d'],
      '--types is missing': ['backfill', 'stripe', '--from', '1d'],
      'takes no --from': ['backfill', 'stripe', '--from', '1d', '--continue'],
    }

    const ended = await Promise.all(
      Object.entries(complaints).map(async ([complaint, words]) => {
        const { code, stderr } = await commandLine.run(words, environment)
        return { code, says: stderr.includes(complaint) ? complaint : stderr }
      }),
    )
    const keyless = await commandLine.run(['gaps', 'stripe', '--from', '1d'])

    expect(ended).toEqual(Object.keys(complaints).map((says) => ({ code: 2, says })))
    expect(keyless.stderr).toContain('STRIPE_API_KEY is not set')
  })
})

describe('shadow', () => {
  test('says what the handler beside doubled, by a query of one’s own that may only read', async ({
    commandLine,
    database,
  }) => {
    const { schema, query } = database
    const place = placeOf(database)
    await commandLine.run(['migrate', ...place])
    await query(`insert into "${schema}".shadow_calls
        (id, place, environment, source, event_id, type, verdict, worker, started_at, ended_at, ending, status)
      select gen_random_uuid(), 0, 'default', 'stripe', 'evt_' || number % 2, 'invoice.paid', 'authentic', 'web-1:7',
        now() - interval '2 hours', now() - interval '1 hour', 'answered', 200
      from generate_series(1, 3) as number`)
    await query(`create table "${schema}".payments (event_id text)`)
    await query(`insert into "${schema}".payments values ('evt_0'), ('evt_1'), ('evt_1')`)
    const counts = `select event_id, count(*) from "${schema}".payments where event_id = any ($1) group by 1`
    const removal = `delete from "${schema}".payments where event_id = any ($1) returning event_id, 1`

    const blind = await commandLine.run(['shadow', 'stripe', ...place])
    const seeing = await commandLine.run(['shadow', 'stripe', '--effects', counts, ...place])
    const json = await commandLine.run(['shadow', 'stripe', '--deadline', '600', '--json', ...place])
    const refused = await commandLine.run(['shadow', 'stripe', '--effects', removal, ...place])

    expect(blind.code).toBe(0)
    expect(blind.stdout).toMatch(/run again at the same time +1\n[^]*give --effects/)
    expect(seeing.code).toBe(1)
    expect(seeing.stdout).toMatch(
      /doubled: more than one effect +1\n[^]*Doubled\n {2}evt_1 {2}invoice\.paid, effects: 2\n/,
    )
    expect(JSON.parse(json.stdout)).toMatchObject({
      deliveries: 3,
      runAgain: { count: 1, events: [{ eventId: 'evt_1' }] },
      late: { count: 2, calls: 3, deadlineSeconds: 600, slowestSeconds: 3600 },
    })
    expect(refused.stderr).toContain('read-only transaction')
    expect(await query(`select event_id from "${schema}".payments`)).toHaveLength(3)
  })
})

function placeOf({ url, schema }: TestDatabase): readonly string[] {
  return ['--database', url, '--schema', schema]
}
