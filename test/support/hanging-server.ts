import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that takes requests and never answers. */
export async function startHangingServer(): Promise<{
  readonly url: string
  readonly requests: () => number
  readonly close: () => Promise<void>
}> {
  let requests = 0
  const server = createServer(() => void (requests += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    requests: () => requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
