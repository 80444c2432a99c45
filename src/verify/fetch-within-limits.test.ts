import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { fetchWithinLimits } from './fetched-keys.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const started = createServer(answer)
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/keys`
}

const get = { method: 'GET', headers: {}, signal: new AbortController().signal } as const

describe('fetching a text', () => {
  test('gives the whole text', async () => {
    const address = await serve((_, response) => response.end('Schlüssel'))

    expect(await fetchWithinLimits(address, get)).toBe('Schlüssel')
  })

  test('sends a body with its headers where it has to', async () => {
    const address = await serve((request, response) => {
      response.write(`${request.method} ${request.headers['content-type']} `)
      request.pipe(response)
    })
    const headers = { 'content-type': 'application/json' }

    const text = await fetchWithinLimits(address, { ...get, method: 'POST', headers, body: '{"key_id":"k1"}' })

    expect(text).toBe('POST application/json {"key_id":"k1"}')
  })

  test('follows no redirect', async () => {
    const asked: (string | undefined)[] = []
    const address = await serve(({ url }, response) => {
      asked.push(url)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })

    await expect(fetchWithinLimits(address, get)).rejects.toThrow('fetch failed')
    expect(asked).toEqual(['/keys'])
  })

  test('stops at a quarter of a megabyte, without waiting for the end', async () => {
    const address = await serve((_, response) => {
      const write = (): boolean => response.write('x'.repeat(65_536))
      response.on('drain', write)
      write()
    })

    await expect(fetchWithinLimits(address, get)).rejects.toThrow('the answer is too large')
  })

  test('takes an error for an error', async () => {
    const address = await serve((_, response) => response.writeHead(503).end('down'))

    await expect(fetchWithinLimits(address, get)).rejects.toThrow('the answer was 503')
  })

  test('ends when its time is up', async () => {
    const address = await serve(() => undefined)

    await expect(fetchWithinLimits(address, { ...get, signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/)
  })
})
