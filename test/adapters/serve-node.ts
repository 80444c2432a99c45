import { once } from 'node:events'
import { createServer, type RequestListener, request as startRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { AnswerSeen, RequestToSend, Served } from './served.ts'

/** A plain server before a listener, as a user would have it. */
export async function serveNode(listener: RequestListener): Promise<Served & { readonly port: number }> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    send: (request) => sendOverHttp(port, request),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Sends over a connection of its own, and takes the answer even if the body could not be sent to its end. */
export async function sendOverHttp(port: number, request: RequestToSend): Promise<AnswerSeen> {
  const { method = 'POST', path = '/in/acme', headers = {}, body } = request
  const outgoing = startRequest({ port, host: '127.0.0.1', method, path, headers, agent: false })
  // A body that is cut off fails to be written; what counts is the answer.
  outgoing.on('error', () => {})
  const answered = new Promise<AnswerSeen>((resolve, reject) => {
    outgoing.once('close', () => reject(new Error('The connection was closed without an answer.')))
    outgoing.once('response', (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (piece) => {
        text += String(piece)
      })
      response.once('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
          body: text,
        })
        outgoing.destroy()
      })
    })
  })
  if (body === undefined || body instanceof Uint8Array) outgoing.end(body)
  else {
    outgoing.flushHeaders()
    Readable.from(body, { objectMode: false })
      .on('error', () => {})
      .pipe(outgoing)
  }
  return answered
}
