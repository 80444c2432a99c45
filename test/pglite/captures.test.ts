import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createWebhookServer } from '../../src/adapters/webhook-server.ts'
import { createAdmin } from '../../src/admin/create-admin.ts'
import { createCaptures } from '../../src/capture/create-captures.ts'
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { pgliteStore } from '../../src/store/pglite/pglite-store.ts'

const source = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' })

test('captures without a server of PostgreSQL are recorded, listed, sent again and compared', async () => {
  const store = pgliteStore('memory://')
  const inbox = createInbox({
    store,
    sources: { stripe: source },
    mode: 'queued',
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  inbox.on('stripe', '*', () => {})
  await inbox.migrate()
  let url = ''
  const captures = createCaptures({
    store,
    sources: { stripe: source },
    receipts: inbox.receipts,
    ownUrl: () => url,
    options: { endpoints: { box: { rules: [{ name: 'first', when: { first: 1 }, answer: { status: 503 } }] } } },
  })
  await captures.start()
  const gateway = createWebhookServer(inbox, { captures })
  url = `http://127.0.0.1:${(await gateway.listen({ port: 0, host: '127.0.0.1' })).port}`
  const admin = createAdmin({ inbox, captures, ingestUrl: url, isOpenOnLoopback: true })
  const surface = createServer(admin.nodeHandler)
  await new Promise<void>((resolve) => surface.listen(0, '127.0.0.1', resolve))
  const call = async (path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>> => {
    const response = await fetch(`http://127.0.0.1:${(surface.address() as AddressInfo).port}/api/v1${path}`, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    return response.json()
  }
  const send = async (amount: number): Promise<number> => {
    const { headers, body } = source.sign({ id: 'evt_1', type: 'invoice.paid', payload: { amount } }, new Date())
    const pairs = [...headers].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
    return (await fetch(`${url}/capture/box`, { method: 'POST', headers: pairs, body: Buffer.from(body) })).status
  }

  const statuses = [await send(1), await send(2)]
  const { items } = await call('/captures?endpoint=box')
  const [newer, older] = items as readonly { readonly id: string }[]
  const replay = await call('/replays', {
    from: { kind: 'capture', id: newer?.id },
    target: '/in/stripe',
    times: 3,
    isParallel: true,
    why: 'three copies are one receipt',
  })
  const compared = await call('/compare', { items: [older, newer].map((one) => ({ kind: 'capture', id: one?.id })) })

  expect(statuses).toEqual([503, 200])
  expect(items).toMatchObject([
    { method: 'POST', answer: { status: 200, origin: 'default' }, identity: { provider: 'stripe', eventId: 'evt_1' } },
    { answer: { status: 503, origin: 'rule', rule: 'first' } },
  ])
  expect(replay.results.map(({ status }: { status: number }) => status).toSorted()).toEqual([200, 200, 202])
  expect(await inbox.receipts.find()).toMatchObject([{ eventId: 'evt_1', type: 'invoice.paid' }])
  expect((await call('/replays')).items).toMatchObject([{ id: replay.id, times: 3, by: 'local' }])
  expect(compared).toMatchObject({
    identity: { verdict: 'mutated' },
    body: expect.arrayContaining([expect.objectContaining({ path: '$.amount', values: ['1', '2'] })]),
  })

  admin.close()
  surface.close()
  surface.closeAllConnections()
  captures.close()
  await gateway.close(0)
  await inbox.close()
})
