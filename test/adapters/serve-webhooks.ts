import { createWebhookServer } from '../../src/adapters/webhook-server.ts'
import { sendOverHttp } from './serve-node.ts'
import type { Served, ServeOptions } from './served.ts'

/** Our own server before a door. */
export async function serveByServer({ door, readSeconds }: ServeOptions): Promise<Served> {
  const server = createWebhookServer({ door }, { readSeconds })
  const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
  return {
    origin: `http://127.0.0.1:${port}`,
    send: (request) => sendOverHttp(port, request),
    close: () => server.close(0),
  }
}
