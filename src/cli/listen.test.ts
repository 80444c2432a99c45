import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createWebhookServer, type WebhookServer } from '../adapters/webhook-server.ts'
import { createInbox } from '../index.ts'
import { stripe } from '../providers/stripe.ts'
import { pgliteStore } from '../store/pglite/pglite-store.ts'
import { listenNear, urlOf } from './listen.ts'

// Nothing is opened: no request comes.
const inbox = createInbox({
  store: pgliteStore(),
  sources: { stripe: stripe({ secret: 'whsec_of-at-least-16-bytes' }) },
})
const create = (): WebhookServer => createWebhookServer(inbox)
const host = '127.0.0.1'

describe('a port that is taken', () => {
  test('gives way to the next free one if it was only preferred', async () => {
    const other = await occupy()
    const port = portOf(other)

    const { server, address } = await listenNear(create, { host, port, kind: 'preferred' })

    await server.close(0)
    other.close()
    expect(address.port).toBeGreaterThan(port)
  })

  test('is an error that names a free one if it was asked for', async () => {
    const other = await occupy()
    const port = portOf(other)

    const listening = listenNear(create, { host, port, kind: 'fixed' })

    await expect(listening).rejects.toThrow(
      new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use by another program\\. Port \\d+ is free`),
    )
    other.close()
  })
})

describe('a host', () => {
  test('that is not of this machine is an error that says so', async () => {
    const listening = listenNear(create, { host: '192.0.2.1', port: 0, kind: 'fixed' })

    await expect(listening).rejects.toThrow(
      '192.0.2.1 is not an address of this machine. Give another one with --host.',
    )
  })

  test.each([
    ['127.0.0.1', 'http://127.0.0.1:80'],
    ['0.0.0.0', 'http://127.0.0.1:80'],
    ['::', 'http://[::1]:80'],
    ['fe80::1', 'http://[fe80::1]:80'],
    ['localhost', 'http://localhost:80'],
  ])('%s is called at %s', (given, expected) => {
    expect(urlOf(given, 80)).toBe(expected)
  })
})

async function occupy(): Promise<Server> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
