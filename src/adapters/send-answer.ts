import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from '../verify/provider.ts'

/** How long a refused sender may go on sending. What it sends is thrown away. */
const lingerMilliseconds = 1000

/**
 * Sends an answer. One that is given before the body was read to its end closes the connection, because the next
 * request on it could only be found by reading the rest.
 */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed || request.socket.destroyed) return
  // Without a listener, a sender that goes away while it is answered would end the process.
  response.on('error', ignore)
  // As text it goes out in one piece with the headers.
  const { body } = answer
  const headers = headersOf(answer)

  if (request.complete || request.readableEnded) {
    response.writeHead(answer.status, headers).end(body)
    return
  }
  if (request.httpVersionMajor === 1) headers['connection'] = 'close'
  response.writeHead(answer.status, headers)
  if (body === undefined) response.flushHeaders()
  else response.write(body)
  endAfterLingering(request, response)
}

function ignore(): void {}

/** The length and the way of the transfer are for us to say. */
function headersOf({ headers = {}, body }: Answer): Record<string, string | number> {
  const sent: Record<string, string | number> = {}
  for (const name in headers) {
    const value = headers[name]
    if (name !== 'transfer-encoding' && name !== 'content-length' && value !== undefined) sent[name] = value
  }
  if (body !== undefined) sent['content-length'] = Buffer.byteLength(body, 'utf8')
  return sent
}

/**
 * Closing a socket that still has unread bytes resets the connection, and the reset can overtake the answer. So the whole
 * answer is written first, and the connection is closed when the sender stops, or soon after.
 */
export function endAfterLingering(request: IncomingMessage, response: ServerResponse): void {
  const end = (): void => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMilliseconds)
  request.once('end', end).once('close', end)
  request.resume()
}
