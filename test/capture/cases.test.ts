import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stripe } from '../../src/providers/stripe.ts'
import { type Gateways, startGateways, stripeSecret } from './gateways.ts'

const source = stripe({ secret: stripeSecret })

let gateways: Gateways
beforeAll(async () => {
  gateways = await startGateways(
    1,
    'captures: { endpoints: { box: {} }, replay: { allowPrivateAddresses: false } },',
    `(event, { tx }) => tx.query('insert into "SCHEMA".paid (event) values ($1)', [event.id])`,
  )
  await gateways.database.query(`create table "${gateways.database.schema}".paid (event text)`)
})
afterAll(() => gateways.stop())

const place = (): readonly string[] => ['--database', gateways.database.url, '--schema', gateways.database.schema]
const json = async (...words: readonly string[]): Promise<ReturnType<typeof JSON.parse>> => {
  const { stdout, stderr } = await gateways.run([...words, ...place(), '--json'])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

async function capture(id: string): Promise<void> {
  const body = JSON.stringify({
    id,
    type: 'invoice.paid',
    data: { object: { id: 'in_1', customer_email: 'jane@shop.test' } },
  })
  const signed = source.sign({ body }, new Date())
  const headers = [...signed.headers].map(([name, [value = '']]) => [name, value] as [string, string])
  await fetch(`${gateways.urls[0]}/capture/box`, { method: 'POST', headers, body })
}

describe('on the command line', () => {
  test('a capture is listed, compared, sent again signed to the gateway that runs here, and saved as a case', async () => {
    await capture('evt_1')
    await capture('evt_1')

    const list = await json('captures', '--endpoint', 'box')
    const [second, first] = list as readonly { readonly id: string }[]
    expect(list).toMatchObject([{ identity: { eventId: 'evt_1' }, answer: { status: 200 } }, {}])
    const compared = await gateways.run(['captures', 'compare', first?.id ?? '', second?.id ?? '', ...place()])
    expect(compared.stdout).toContain('same event  Both are the event evt_1 (invoice.paid) of stripe')
    const replay = await json(
      'captures',
      'replay',
      first?.id ?? '',
      '--to',
      '/in/stripe',
      '--sign',
      'stripe',
      '--times',
      '3',
      '--parallel',
      '--why',
      'one row',
    )
    expect(replay.results.map(({ status }: { status: number }) => status).toSorted()).toEqual([200, 200, 202])
    const saved = await json('captures', 'save', first?.id ?? '', '--case', 'paid')
    expect(saved.file).toBe('cases/paid.json')
  })

  test('cases are run against the inbox of the configuration: sent twice, one row; and what is wrong is said, with exit code and JUnit', async () => {
    const folder = join(gateways.directory, 'cases')
    mkdirSync(folder, { recursive: true })
    const saved = JSON.parse(readFileSync(join(folder, 'paid.json'), 'utf8'))
    expect(JSON.stringify(saved)).not.toMatch(/jane|signature/)
    const table = `"${gateways.database.schema}".paid`
    const twice = {
      ...saved,
      request: { ...saved.request, json: { ...saved.request.json, id: 'evt_{{unique}}' } },
      send: { times: 4, isParallel: true },
      expect: {
        status: [200, 202],
        body: { json: { verdict: '*' } },
        rows: [{ sql: `select count(*)::int from ${table} where event = :event`, equals: 1 }],
      },
    }
    writeFileSync(join(folder, 'paid.json'), JSON.stringify(twice))

    writeFileSync(
      join(folder, 'two-rows.json'),
      JSON.stringify({
        ...twice,
        name: 'two-rows',
        expect: { status: 500, rows: [{ ...twice.expect.rows[0], equals: 2, withinSeconds: 0.1 }] },
      }),
    )
    writeFileSync(
      join(folder, 'writes.json'),
      JSON.stringify({
        ...twice,
        name: 'writes',
        expect: { rows: [{ sql: `delete from ${table} returning 1`, equals: 1, withinSeconds: 0 }] },
      }),
    )
    writeFileSync(join(folder, 'unreadable.json'), '{')
    const before = await gateways.database.query(`select event from ${table}`)
    const all = await gateways.run(['cases', ...place(), '--junit', 'report.xml'])
    expect(all.code).toBe(1)
    expect(all.stdout).toContain('1 passed, 3 failed')
    expect(all.stdout).toContain('the status is 202, expected 500')
    expect(all.stdout).toContain('answers 1, expected 2')
    expect(all.stdout).toContain('read-only')
    expect((await gateways.database.query(`select event from ${table}`)).length).toBeGreaterThanOrEqual(before.length)
    expect(readFileSync(join(gateways.directory, 'report.xml'), 'utf8')).toContain('tests="4" failures="3"')
  })

  test('cases are run against an address, in whatever language it is', async () => {
    const url = `${gateways.urls[0]}/in/{source}`

    const result = await json('cases', '--only', 'paid', '--url', url)

    expect(result.results).toMatchObject([{ outcome: 'passed' }])
  })
})
