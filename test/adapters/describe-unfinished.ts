import { Client } from 'pg'
import { expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { signedRequest } from './conformance-deliveries.ts'
import type { FrameworkUnderTest } from './describe-framework.ts'
import { rawConnection } from './raw-socket.ts'
import { type RequestToSend, stalled } from './served.ts'

/** What becomes of requests that are refused, or whose sender goes away, before they have come to their end. */
export function describeUnfinished(
  { place, send, port, prefix, rows }: FrameworkUnderTest,
  whenRefused: 'answers' | 'cuts_off' = 'answers',
): void {
  const receiptsOf = (eventId: string) =>
    rows<{ status: string; effects: number }>(
      `select status, (select count(*)::int from $schema.app_effects where event_id = '${eventId}') as effects
       from $schema.receipts where event_id = '${eventId}'`,
    )

  test('that are announced too long are refused before a byte of them has come', async () => {
    const answer = await send({
      path: '/webhooks/small',
      headers: { 'content-length': '25000000' },
      body: stalled(),
    })

    expect(answer).toMatchObject({ status: 413, body: '{"verdict":"too_large","limitBytes":1000}' })
  })

  test('that turn out too long are refused when they pass the limit', async () => {
    const ended = send({
      path: '/webhooks/small',
      headers: { 'content-type': 'text/plain' },
      body: stalled('x'.repeat(1001)),
    }).then(
      ({ status }) => status,
      () => 'cut off',
    )

    expect(await ended).toBe(whenRefused === 'answers' ? 413 : 'cut off')
  })

  test('that are broken off leave nothing behind, and come whole the next time', async () => {
    const request = signedRequest('acme', { id: 'broken-off', body: '{"a":1}' })
    const connection = await rawConnection(port())
    connection.write(headOf(prefix, { ...request, headers: { ...request.headers, 'content-length': '100' } }))
    connection.write(Buffer.from(request.body).toString('latin1'))
    connection.socket.destroySoon()
    await connection.untilClosed()

    expect((await send(signedRequest('acme', { id: 'after', body: '{"a":2}' }))).status).toBe(200)
    expect(await receiptsOf('broken-off')).toEqual([])
    expect((await send(request)).status).toBe(200)
    expect(await receiptsOf('broken-off')).toEqual([{ status: 'processed', effects: 1 }])
  })

  test('whose sender does not wait for the answer take effect once all the same', async () => {
    const { databaseUrl, schema } = place()
    const gate = new Client({ connectionString: databaseUrl })
    await gate.connect()
    await gate.query('select pg_advisory_lock(hashtext($1))', [schema])
    const request = signedRequest('acme', { id: 'held-1', body: '{"a":3}' })
    const connection = await rawConnection(port())
    connection.write(
      headOf(prefix, { ...request, headers: { ...request.headers, 'content-length': String(request.body.length) } }),
    )
    connection.write(Buffer.from(request.body).toString('latin1'))
    await until(
      async () => (await gate.query(waitersSql, [schema])).rowCount,
      (waiting) => waiting === 1,
    )

    connection.socket.destroy()
    await gate.end()

    await until(
      () => receiptsOf('held-1'),
      ([receipt]) => receipt?.status === 'processed',
    )
    expect(await send(request)).toMatchObject({ status: 200, body: expect.stringContaining('duplicate') })
    expect(await receiptsOf('held-1')).toEqual([{ status: 'processed', effects: 1 }])
  })
}

const waitersSql = `
  select from pg_locks
  where locktype = 'advisory' and not granted and objid = (hashtext($1)::bigint & 4294967295)::oid`

function headOf(prefix: string, { path, headers = {} }: RequestToSend): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${[`POST ${prefix}${path} HTTP/1.1`, 'Host: example.test', ...lines].join('\r\n')}\r\n\r\n`
}
