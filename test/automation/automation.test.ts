import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect } from 'vitest'
import type { Automation } from '../../src/index.ts'
import { stripeDelivery, test } from '../support/inbox.ts'
import { until } from '../support/until.ts'

type Arrived = {
  readonly path: string
  readonly key: string | undefined
  readonly secret: string | undefined
  readonly body: string
}

/** An endpoint that writes down what comes. */
async function endpoint(): Promise<{ readonly url: string; readonly arrived: Arrived[]; readonly close: () => void }> {
  const arrived: Arrived[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { 'idempotency-key': key, 'x-secret': secret } = request.headers as Record<string, string | undefined>
      arrived.push({ path: request.url ?? '', key, secret, body: Buffer.concat(parts).toString('utf8') })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, arrived, close: () => server.close() }
}

const forward = { allowPrivateAddresses: true }
const order = (id: string): unknown => ({ data: { object: { id, total: 20 } } })

describe('an automation on events', () => {
  test('runs its steps in one transaction, forwards after it, and leaves a trace', async ({ makeInbox }) => {
    const { url, arrived, close } = await endpoint()
    const chain: Automation = {
      on: { source: 'stripe', types: 'invoice.*' },
      steps: [
        { kind: 'extract', path: '$.data.object.id', as: 'order' },
        { kind: 'condition', value: '{{$.data.object.total}}', operator: 'greater_or_equal', than: 10 },
        { kind: 'condition', value: '{{event.type}}', operator: 'equals', than: 'no', otherwise: 'skip' },
        { kind: 'store', operation: 'set', namespace: 'passed-over', key: 'x', value: 1 },
        { kind: 'dedup', key: '{{order}}' },
        { kind: 'store', operation: 'increment', namespace: 'orders', key: 'all', as: 'count' },
        { kind: 'code', code: 'return { doubled: body.data.object.total * 2 }', as: 'made' },
        {
          kind: 'forward',
          name: 'tell',
          to: `${url}/{{order}}?n={{count}}`,
          headers: { 'x-secret': '{{secret.KEY}}' },
          body: '{{made}}',
        },
        { kind: 'forward', to: `${url}/whole` },
      ],
    }
    const inbox = makeInbox({ automations: { define: { chain }, forward, secrets: { KEY: 's3cr3t' } } })
    await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', order('o/1')))
    const other = await inbox.receive('stripe', stripeDelivery('evt_3', 'charge.failed'))
    await inbox.start()
    await inbox.handled('succeeded')
    await inbox.receive('stripe', stripeDelivery('evt_2', 'invoice.paid', order('o/1')))
    await inbox.handled('succeeded', 2)
    await until(
      () => arrived,
      (all) => all.length >= 2,
    )

    expect(other.kind).toBe('ignored')
    expect(arrived.map(({ path }) => path).toSorted()).toEqual(['/o%2F1?n=1', '/whole'])
    expect(arrived.find(({ path }) => path !== '/whole')).toMatchObject({ secret: 's3cr3t', body: '{"doubled":40}' })
    expect(JSON.parse(arrived.find(({ path }) => path === '/whole')?.body ?? '')).toMatchObject({ id: 'evt_1' })
    expect((await inbox.datastore.get('orders', 'all'))?.value).toBe(1)
    expect(await inbox.datastore.get('passed-over', 'x')).toBeUndefined()

    const [second, first] = (await inbox.automations?.runs({ automation: 'chain' })) ?? []
    expect(first?.steps.map(({ outcome }) => outcome)).toEqual([
      'done',
      'done',
      'done',
      'skipped',
      'done',
      'done',
      'done',
      'done',
      'done',
    ])
    expect(first).toMatchObject({ outcome: 'completed', eventId: 'evt_1', attempt: 1 })
    expect(second?.outcome).toBe('ended')
    expect(second?.steps.at(-1)).toMatchObject({ kind: 'dedup', outcome: 'ended', input: { key: 'o/1' } })
    expect(JSON.stringify([first, second])).not.toContain('s3cr3t')
    close()
  })

  test('gives the key of its dedup step back when it fails, and keeps the trace of that too', async ({ makeInbox }) => {
    const fragile: Automation = {
      on: { source: 'stripe' },
      steps: [
        { kind: 'dedup', key: '{{$.data.object.id}}' },
        { kind: 'lookup', namespace: 'switches', key: 'on', as: 'on' },
        { kind: 'code', code: 'if (variables.on !== true) throw new Error("switched off")' },
        { kind: 'store', operation: 'increment', namespace: 'orders', key: 'all' },
      ],
    }
    const inbox = makeInbox({ automations: { define: { fragile } } })
    await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', order('o1')))
    await inbox.start()
    await inbox.handled('retrying')
    await inbox.datastore.set('switches', 'on', true)
    await inbox.handled('succeeded')

    const runs = (await inbox.automations?.runs()) ?? []
    expect(runs[0]?.outcome).toBe('completed')
    expect(runs.at(-1)).toMatchObject({
      outcome: 'failed',
      attempt: 1,
      error: expect.stringContaining('switched off') as string,
    })
    expect(runs.at(-1)?.steps.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'failed'])
    expect((await inbox.datastore.get('orders', 'all'))?.value).toBe(1)
  })

  test('is tried out on a stored event without leaving anything', async ({ makeInbox, database }) => {
    const inbox = makeInbox({ automations: { forward } })
    await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', order('o1')))
    const [receipt] = await inbox.receipts.find()
    const automation: Automation = {
      on: { source: 'stripe' },
      steps: [
        { kind: 'dedup', key: '{{$.data.object.id}}' },
        { kind: 'store', operation: 'increment', namespace: 'orders', key: 'all', as: 'count' },
        { kind: 'forward', to: 'http://127.0.0.1:1/{{count}}' },
        { kind: 'extract', path: '$.nothing', as: 'nothing' },
      ],
    }

    const run = await inbox.automations?.test('draft', automation, { receiptId: receipt?.id ?? '' })

    expect(run?.outcome).toBe('failed')
    expect(run?.steps.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'failed'])
    expect(run?.steps[2]?.input).toMatchObject({ url: 'http://127.0.0.1:1/1' })
    expect((await inbox.datastore.namespaces()).items).toEqual([])
    const [{ count } = { count: '' }] = await database.query<{ count: string }>(
      `select (select count(*) from "${database.schema}".outbox) + (select count(*) from "${database.schema}".automation_runs) as count`,
    )
    expect(count).toBe('0')
    expect(await inbox.automations?.test('draft', automation, { receiptId: '999' })).toBeUndefined()
  })
})

describe('an automation that is defined by hand', () => {
  const counting = (source: string, types?: string): Automation => ({
    on: { source, ...(types !== undefined && { types }) },
    steps: [{ kind: 'store', operation: 'increment', namespace: 'counts', key: '{{event.id}}' }],
  })

  test('takes effect here and in other processes, and lets go of events when it is gone', async ({ makeInbox }) => {
    const [receiver, worker] = [makeInbox({ automations: {} }), makeInbox({ automations: {} })]
    await worker.receive('stripe', stripeDelivery('evt_0'))
    const saved = await receiver.automations?.put('count', counting('stripe'), { by: 'ada' })
    await receiver.receive('stripe', stripeDelivery('evt_1'))
    await worker.start()
    await worker.handled('succeeded')
    await worker.stop()

    expect(saved?.kind).toBe('saved')
    expect(await worker.automations?.list()).toMatchObject([{ name: 'count', origin: 'api', changedBy: 'ada' }])
    expect((await worker.datastore.list('counts')).items).toMatchObject([{ key: 'evt_1', value: 1 }])

    // Two events wait when the automation is changed to another type, and then goes.
    await receiver.receive('stripe', stripeDelivery('evt_2'))
    await receiver.receive('stripe', stripeDelivery('evt_3', 'charge.failed'))
    await receiver.automations?.put('count', counting('stripe', 'charge.*'), { by: 'bob' })
    await receiver.automations?.delete('count', { by: 'bob' })
    const late = await receiver.receive('stripe', stripeDelivery('evt_4'))
    await worker.drain()

    expect(late.kind).toBe('ignored')
    expect(await worker.receipts.find({ isPending: true })).toEqual([])
    expect((await worker.datastore.list('counts')).items).toHaveLength(1)
    expect(await receiver.automations?.list()).toEqual([])
  })

  test('is checked, kept from overwriting, and never replaces one of the configuration', async ({ makeInbox }) => {
    const inbox = makeInbox({ automations: { define: { fixed: counting('stripe') }, code: 'off' } })
    const put = inbox.automations?.put ?? (async () => undefined)

    const first = await put('mine', counting('stripe'), { by: 'ada' })
    const revision = first?.kind === 'saved' ? first.automation.revision : 0
    await put('mine', counting('stripe', 'a'), { by: 'bob', ifRevision: revision })

    expect(await put('mine', counting('stripe'), { by: 'ada', ifRevision: revision })).toEqual({ kind: 'changed' })
    expect(await put('fixed', counting('stripe'), { by: 'ada' })).toEqual({ kind: 'configured' })
    expect(await inbox.automations?.delete('fixed', { by: 'ada' })).toBe('configured')
    expect(await inbox.automations?.delete('none', { by: 'ada' })).toBe('unknown')
    expect(
      await put('mine', { on: { source: 'x' }, steps: [{ kind: 'code', code: 'return 1' }] }, { by: 'ada' }),
    ).toEqual({
      kind: 'invalid',
      mistakes: [
        expect.stringContaining('on.source is no source'),
        expect.stringContaining('switched off'),
      ] as string[],
    })
    expect((await inbox.automations?.list())?.map(({ name, changedBy }) => [name, changedBy])).toEqual([
      ['fixed', undefined],
      ['mine', 'bob'],
    ])
  })
})

describe('an automation on captured requests', () => {
  const capture = {
    id: '17',
    endpoint: 'orders',
    method: 'PUT',
    path: '/a',
    query: 'x=ü',
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Shop', 'ada'],
      ['x-oncehook-endpoint', 'forged'],
    ] as const,
    body: Buffer.from('{"id":"o1"}'),
  }
  const define: Record<string, Automation> = {
    answers: {
      on: { endpoint: 'orders' },
      steps: [
        { kind: 'store', operation: 'increment', namespace: 'seen', key: '{{$.id}}', as: 'count' },
        {
          kind: 'respond',
          status: 201,
          body: { method: '{{request.method}}', query: '{{request.query}}', count: '{{count}}' },
        },
      ],
    },
    later: {
      on: { endpoint: 'queue' },
      steps: [{ kind: 'store', operation: 'set', namespace: 'later', key: '{{$.id}}', value: '{{headers.x-shop}}' }],
    },
  }

  test('answers them, or runs later, each once', async ({ makeInbox }) => {
    const inbox = makeInbox({ automations: { define } })
    const onCapture = inbox.automations?.onCapture ?? (async () => undefined)

    const answer = await onCapture(capture)
    await onCapture(capture)
    const later = await onCapture({ ...capture, id: '18', endpoint: 'queue' })
    await onCapture({ ...capture, id: '19', endpoint: 'nobody' })
    await inbox.drain()

    expect(answer).toMatchObject({ status: 201, automation: 'answers' })
    expect(JSON.parse(answer?.body ?? '')).toEqual({ method: 'PUT', query: 'x=ü', count: 1 })
    expect(later).toBeUndefined()
    expect((await inbox.datastore.get('seen', 'o1'))?.value).toBe(1)
    expect((await inbox.datastore.get('later', 'o1'))?.value).toBe('ada')
    expect((await inbox.receipts.find()).map(({ source, type, status }) => [source, type, status])).toEqual([
      ['captures', 'queue', 'processed'],
      ['captures', 'orders', 'processed'],
    ])
    expect(inbox.sources).toEqual(['stripe'])
  })

  test('cannot be forged from outside', async ({ makeInbox }) => {
    const inbox = makeInbox({ automations: { define } })
    const headers = { 'x-oncehook-capture': '1', 'x-oncehook-endpoint': 'orders', 'x-oncehook-token': 'guess' }
    const request = new Request('http://localhost/in/captures', { method: 'POST', headers, body: '{"id":"o1"}' })

    const response = await inbox.handler()(request)

    expect(response.status).toBe(401)
    expect(await inbox.receipts.find()).toEqual([])
  })
})
