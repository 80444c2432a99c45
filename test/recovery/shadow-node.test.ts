import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { shadowMiddleware } from '../../src/adapters/node-http.ts'
import type { Delivery } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import type { TestDatabase } from '../support/database.ts'
import { post } from '../support/guarantees.ts'
import { stripeDelivery, test } from '../support/inbox.ts'
import { until } from '../support/until.ts'

describe('on node:http and Express', () => {
  test('sees the bytes that the handler reads, its answers, and who did not wait for them', async ({
    database,
    makeInbox,
  }) => {
    const inbox = makeInbox()
    await inbox.migrate()
    const watch = shadowMiddleware(inbox, 'stripe')
    const bodies: string[] = []
    let finish = (): void => {}
    const handler: RequestListener = (request, response) => {
      void text(request).then((body) => {
        bodies.push(body)
        const { id } = JSON.parse(body) as { id: string }
        if (id !== 'evt_slow') return response.writeHead(id === 'evt_bad' ? 500 : 204).end()
        finish = () => response.end()
        return undefined
      })
    }
    const { url, close } = await serve((request, response) =>
      watch(request, response, () => handler(request, response)),
    )
    const copies = Array.from({ length: 10 }, () => 'evt_good')

    const sent = await Promise.all([...copies, 'evt_bad'].map((id) => post(url, signedFor(id))))
    await hangUpOn(url, 'evt_slow', () => bodies.length === 12)
    finish()
    await close()
    const report = await until(
      () => inbox.shadow.report({ source: 'stripe' }),
      ({ calls, late }) => calls === 12 && late.count === 1,
    )

    expect(sent).toEqual([...copies.map(() => 204), 500])
    expect(await callsOf(database)).toEqual([
      { event_id: 'evt_bad', verdict: 'authentic', ending: 'answered', status: 500, count: 1 },
      { event_id: 'evt_good', verdict: 'authentic', ending: 'answered', status: 204, count: 10 },
      { event_id: 'evt_slow', verdict: 'authentic', ending: 'disconnected', status: null, count: 1 },
    ])
    expect(report.runAgain.events.map(({ eventId }) => eventId)).toEqual(['evt_good'])
    expect(await inbox.receipts.find()).toMatchObject([{ eventId: 'evt_good', origin: 'shadow' }])
  })

  test.for([
    ['at once', (request: IncomingMessage) => buffer(request)],
    ['as text', async (request: IncomingMessage) => Buffer.from(await text(request.setEncoding('utf8')))],
    ['with pauses', readWithPauses],
  ] as const)(
    'sees exact bytes of a body that came before it, in parts, and is read %s',
    async ([, read], { database, makeInbox }) => {
      const inbox = makeInbox()
      await inbox.migrate()
      const watch = shadowMiddleware(inbox, 'stripe')
      const delivery = binaryDelivery('evt_bytes')
      const { body } = delivery
      const lengths: number[] = []
      const { url, close } = await serve((request, response) => {
        void (async () => {
          // Something asynchronous in front, such as a look-up of a session: meanwhile bytes arrive and wait.
          await until(
            () => request.readableLength,
            (waiting) => waiting > 0,
          )
          watch(request, response)
          await turn()
          lengths.push((await read(request)).byteLength)
          response.end()
        })()
      })

      const status = await postInParts(url, delivery, [
        body.subarray(0, 7),
        body.subarray(7, 40_000),
        body.subarray(40_000),
      ])
      await close()
      await until(
        () => inbox.shadow.report({ source: 'stripe' }),
        ({ deliveries }) => deliveries === 1,
      )

      expect(status).toBe(200)
      expect(lengths).toEqual([body.byteLength])
      expect(await callsOf(database)).toEqual([
        { event_id: 'evt_bytes', verdict: 'authentic', ending: 'answered', status: 200, count: 1 },
      ])
    },
  )

  test('says that it has not seen what was not there to be seen', async ({ database, makeInbox }) => {
    const inbox = makeInbox({ source: { maximumBodyBytes: 1000 } })
    await inbox.migrate()
    const watch = shadowMiddleware(inbox, { source: 'stripe' })
    const answers: Record<string, (request: IncomingMessage, body: string) => void> = {
      // A parser has read it before, and kept the bytes.
      '/kept': (request, body) => void Object.assign(request, { body: Buffer.from(body) }),
      // A parser has read it before.
      '/parsed': () => {},
    }
    const { url, close } = await serve((request, response) => {
      const before = answers[request.url ?? '']
      if (before === undefined) {
        watch(request, response)
        // Answered before it is read, or too large to be kept.
        if (request.url === '/unread') response.end()
        else void text(request).then(() => response.end())
        return
      }
      void text(request).then((body) => {
        before(request, body)
        watch(request, response)
        response.end()
      })
    })

    await post(`${url}/kept`, signedFor('evt_kept'))
    await post(`${url}/parsed`, signedFor('evt_parsed'))
    await post(`${url}/large`, binaryDelivery('evt_large'))
    const unread = await postInParts(`${url}/unread`, signedFor('evt_unread'), [])
    await close()
    await until(
      () => inbox.shadow.report({ source: 'stripe' }),
      ({ deliveries }) => deliveries === 4,
    )

    expect(unread).toBe(200)
    expect(await callsOf(database)).toEqual([
      { event_id: 'evt_kept', verdict: 'authentic', ending: 'answered', status: 200, count: 1 },
      { event_id: null, verdict: 'unread', ending: 'answered', status: 200, count: 3 },
    ])
  })
})

function callsOf({ query, schema }: TestDatabase): Promise<readonly object[]> {
  return query(`select event_id, verdict, ending, status::int, count(*)::int
    from "${schema}".shadow_calls group by 1, 2, 3, 4 order by 1`)
}

function signedFor(id: string): Delivery {
  return stripeDelivery(id) as Delivery
}

/** A body of many parts, some of which end in the middle of a character. */
function binaryDelivery(id: string): Delivery {
  const payload = {
    id,
    type: 'invoice.paid',
    object: 'event',
    data: { object: { id: 'in_1', note: 'ÿ'.repeat(50_000) } },
  }
  const body = Buffer.from(JSON.stringify(payload), 'utf8')
  return stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }).sign({ id, body }, new Date())
}

async function readWithPauses(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of request) {
    parts.push(part as Uint8Array)
    await turn()
  }
  return Buffer.concat(parts)
}

/** Each part is sent when the one before is on its way. Without parts, the headers are all that is sent before the answer. */
async function postInParts(
  url: string,
  { headers, body }: Delivery,
  parts: readonly Uint8Array[],
): Promise<number | undefined> {
  const sent = send(url, {
    method: 'POST',
    headers: {
      ...Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')])),
      'content-length': body.byteLength,
    },
  })
  sent.on('error', () => {})
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.flushHeaders()
  for (const part of parts) await new Promise((resolve) => sent.write(part, resolve))
  if (parts.length > 0) sent.end()
  const [response] = await answered
  response.resume()
  sent.destroy()
  return response.statusCode
}

async function serve(
  listener: RequestListener,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Sends a delivery, and goes away once it is there. */
async function hangUpOn(url: string, id: string, isThere: () => boolean): Promise<void> {
  const { port, hostname } = new URL(url)
  const { headers, body } = signedFor(id)
  const socket = connect(Number(port), hostname)
  const lines = [...headers].flatMap(([name, values]) => values.map((value) => `${name}: ${value}`))
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.byteLength}\r\n${lines.join('\r\n')}\r\n\r\n`)
  socket.write(body)
  await until(isThere, (value) => value)
  socket.destroy()
  await once(socket, 'close')
}
