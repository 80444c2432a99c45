import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request as it arrived. */
export type ReceivedRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Somebody's server on this machine, which the target posts to. */
export type HttpReceiver = {
  readonly url: string
  readonly port: number
  readonly requests: readonly ReceivedRequest[]
  readonly sockets: readonly Socket[]
  /** When nobody is connected any more. */
  readonly disconnected: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Respond = (response: ServerResponse, request: ReceivedRequest) => unknown

/** Listens on a free port, or on a given one. */
export async function startHttpReceiver(
  respond: Respond = (response) => response.end(),
  { port = 0, address = '127.0.0.1' }: { readonly port?: number; readonly address?: string } = {},
): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = []
  const sockets: Socket[] = []
  const server = createServer((incoming, response) => {
    void readRequest(incoming).then((request) => {
      requests.push(request)
      respond(response, request)
    })
  })
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(port, address)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${address}:${taken}`,
    port: taken,
    requests,
    sockets,
    async disconnected() {
      await Promise.all(sockets.map((socket) => new Promise((resolve) => whenClosed(socket, resolve))))
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function whenClosed(socket: Socket, run: (value: unknown) => void): void {
  if (socket.closed) run(undefined)
  else socket.once('close', run)
}

async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const { method = '', url: path = '', headers } = incoming
  return { method, path, headers, body: Buffer.concat(chunks).toString('utf8') }
}
