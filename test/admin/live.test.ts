import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { stripeDelivery } from '../support/inbox.ts'
import { until } from '../support/until.ts'
import { type OpenAdmin, test, tokens } from './open-admin.ts'

type Told = { readonly event: string | undefined; readonly id: string | undefined; readonly data: unknown }

type Reader = {
  readonly status: number
  /** What has come so far, without the comments. */
  readonly told: readonly Told[]
  readonly hear: (event: string, count?: number) => Promise<readonly Told[]>
  readonly close: () => void
}

async function watch({ url }: OpenAdmin, lastEventId?: string, query = ''): Promise<Reader> {
  const gone = new AbortController()
  const response = await fetch(`${url}/api/v1/live${query}`, {
    headers: {
      authorization: `Bearer ${tokens.viewer}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: gone.signal,
  })
  const told: Told[] = []
  void readInto(told, response).catch(() => {})
  const hear: Reader['hear'] = (event, count = 1) =>
    until(
      () => told.filter((one) => one.event === event),
      (found) => found.length >= count,
    )
  return { status: response.status, told, hear, close: () => gone.abort() }
}

async function readInto(told: Told[], { body }: Response): Promise<void> {
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = `${text}${chunk}`.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) if (/^event: /m.test(block)) told.push(readBlock(block))
  }
}

function readBlock(block: string): Told {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  return { event: field('event'), id: field('id'), data: JSON.parse(field('data') ?? 'null') }
}

describe('a live stream', () => {
  test('goes on where a broken connection ended, and says so where it cannot', async ({ makeInbox, openAdmin }) => {
    const inbox = makeInbox()
    const surface = await openAdmin(inbox)
    const first = await watch(surface)
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    const [seen] = await first.hear('delivery')
    first.close()
    for (const id of ['evt_2', 'evt_3']) await inbox.receive('stripe', stripeDelivery(id))

    const second = await watch(surface, seen?.id)
    const missed = await second.hear('delivery', 2)
    await inbox.receive('stripe', stripeDelivery('evt_4'))
    const all = await second.hear('delivery', 3)
    const byQuery = await watch(surface, undefined, `?lastEventId=${missed[1]?.id}`)

    expect(all.map(({ data }) => (data as { eventId: string }).eventId)).toEqual(['evt_2', 'evt_3', 'evt_4'])
    expect(all.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => Number(id)).toSorted((a, b) => a - b))
    expect((await byQuery.hear('delivery'))[0]?.data).toMatchObject({ eventId: 'evt_4', source: 'stripe' })
    expect(second.told.map(({ event }) => event)).not.toContain('gap')

    // More than are kept for those who come again.
    for (let number = 1; number <= 600; number += 1) surface.admin.tell({ kind: 'test', number })
    const late = await watch(surface, seen?.id)
    const kept = await late.hear('test', 500)
    expect(late.told[0]).toMatchObject({ event: 'gap', id: String(Number(kept[0]?.id) - 1) })
    expect(kept.map(({ data }) => (data as { number: number }).number)).toEqual(
      Array.from({ length: 500 }, (_, index) => index + 101),
    )

    // Of another process, or made up.
    for (const id of ['999999999999999999', 'nonsense', '1']) {
      const stranger = await watch(surface, id)
      expect((await stranger.hear('gap')).length).toBe(1)
      stranger.close()
    }
  })

  test('of one source tells of no other', async ({ makeInbox, openAdmin }) => {
    const surface = await openAdmin(makeInbox())
    const reader = await watch(surface, undefined, '?source=stripe')

    for (const source of ['github', 'stripe']) surface.admin.tell({ kind: 'test', source })
    surface.admin.tell({ kind: 'notice', message: 'for all' })
    await reader.hear('notice')

    expect(reader.told).toMatchObject([{ data: { source: 'stripe' } }, { data: { message: 'for all' } }])
  })

  test('is ended with the reason for whoever does not read, and keeps nothing for them', async ({
    makeInbox,
    openAdmin,
  }) => {
    const surface = await openAdmin(makeInbox())
    const { hostname, port } = new URL(surface.url)
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    socket.pause()
    socket.write(
      `GET /api/v1/live HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${tokens.viewer}\r\n\r\n`,
    )
    const text = 'x'.repeat(20_000)
    const events = 4000
    const watching = await watch(surface)

    // More than the machine takes for a connection that nobody reads.
    for (let number = 0; number < events; number += 1) {
      surface.admin.tell({ kind: 'test', number, text })
      if (number % 20 === 0) await turn()
    }
    let received = ''
    socket.on('data', (chunk: string) => {
      received = `${received}${chunk}`.slice(-2000)
    })
    const before = socket.bytesRead
    socket.resume()
    await until(
      () => received,
      (end) => end.includes('event: slow'),
    )

    expect(received).toContain(
      '"message":"More than 1000 events were waiting to be read: read again from the last id."',
    )
    expect(socket.bytesRead - before).toBeLessThan((events / 2) * text.length)
    await watching.hear('test', 1)
    socket.destroy()
    watching.close()
  })

  test('is one of a hundred at most, and leaves its place when its reader goes', async ({ makeInbox, openAdmin }) => {
    const surface = await openAdmin(makeInbox())
    const readers = await Promise.all(Array.from({ length: 100 }, () => watch(surface)))
    const refused = await surface.call('GET', '/live')

    expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
    expect(refused.headers.get('retry-after')).toBe('10')
    readers[0]?.close()
    const next = await until(
      () => watch(surface),
      ({ status }) => status === 200,
    )
    surface.admin.tell({ kind: 'test' })
    await next.hear('test')

    surface.admin.close()
    expect((await watch(surface)).status).toBe(503)
  })
})
