import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { array, asyncProperty, assert as check, constantFrom, oneof, stringMatching, tuple } from 'fast-check'
import { expect, test as plainTest } from 'vitest'
import { readPlainRequest } from '../../src/adapters/plain/plain-request.ts'

type Seen = { readonly target: string; readonly headers: readonly (readonly [string, string])[]; readonly body: string }

const test = plainTest.extend<{ readByNode: (bytes: Buffer) => Promise<readonly Seen[]> }>({
  readByNode: async ({}, use) => {
    let seen: Seen[] = []
    const server = createServer({ maxHeaderSize: 16_384 }, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { url = '', rawHeaders } = request
        const headers = rawHeaders.flatMap((name, index) =>
          index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
        )
        seen.push({ target: url, headers, body: Buffer.concat(chunks).toString('latin1') })
        response.end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await use(async (bytes) => {
      seen = []
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {}).resume()
      // The second request is told from the first by its path, and ends the connection whatever came before.
      socket.write(Buffer.concat([bytes, Buffer.from('GET /after HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')]))
      await new Promise((resolve) => socket.once('close', resolve).once('end', () => socket.end()))
      return seen
    })
    server.closeAllConnections()
    server.close()
  },
})

const names = constantFrom(
  'X-Acme',
  'Stripe-Signature',
  'Content-Type',
  'Accept',
  'TE',
  'x_y',
  'Keep-Alive',
  'Trailer',
  'Cookie',
)
const values = oneof(
  constantFrom(
    '',
    'a',
    'application/json',
    '"quoted"',
    'a, b',
    ' spaced ',
    '\ttab\t',
    'a:b',
    '100-continue',
    'chunked',
    'close',
  ),
  stringMatching(/^[\t -~]{0,12}$/),
  constantFrom('\u00e4', 'a\u0000', 'a\nb', 'a\r', 'a\r\n b'),
)
const lines = oneof(
  { weight: 8, arbitrary: tuple(names, constantFrom(': ', ':', ':  ', ' : '), values).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: constantFrom(
      'Transfer-Encoding: chunked',
      'Content-Length: 3',
      'Content-Length: 0',
      'Content-Length: 03',
      'Connection: close',
      'Connection: keep-alive',
      'Host: b',
      'no colon',
      ' folded: a',
    ),
  },
)
const targets = oneof(
  constantFrom('/', '/in/acme', '/in/acme?a=1&b', '/in/a#b', '/%zz', '//x', '*'),
  stringMatching(/^\/[!-~]{0,10}$/),
)
const requests = tuple(
  targets,
  constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'),
  array(lines, { maxLength: 6 }),
).map(([target, version, headers]) =>
  Buffer.from(
    `${[`POST ${target} ${version}`, 'Host: a', 'Content-Length: 3', ...headers].join('\r\n')}\r\n\r\nabc`,
    'latin1',
  ),
)

test('whatever is plain, node:http reads as the very same request', async ({ readByNode }) => {
  let plain = 0
  await check(
    asyncProperty(requests, async (bytes) => {
      const reading = readPlainRequest(bytes)
      if (typeof reading === 'string') return
      plain += 1
      const { target, headers, bodyStart, bodyBytes } = reading.request
      const [first, second] = await readByNode(bytes)

      expect(first).toEqual({
        target,
        headers: first?.headers,
        body: bytes.toString('latin1', bodyStart, bodyStart + bodyBytes),
      })
      expect(grouped(first?.headers ?? [])).toEqual([...headers])
      expect(second?.target).toBe(reading.request.connection === 'close' ? undefined : '/after')
    }),
    { numRuns: 400 },
  )

  expect(plain).toBeGreaterThan(40)
})

/** As the headers of a delivery are. */
function grouped(headers: Seen['headers']): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>()
  for (const [name, value] of headers) groups.set(name, [...(groups.get(name) ?? []), value])
  return [...groups]
}
