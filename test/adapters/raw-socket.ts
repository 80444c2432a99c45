import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection on which any bytes can be sent, also such as no HTTP client would. */
export type RawConnection = {
  readonly socket: Socket
  readonly write: (text: string) => void
  /** All that came until the other side closed the connection. */
  readonly untilClosed: () => Promise<string>
  /** What came, as soon as it holds this text. */
  readonly until: (text: string) => Promise<string>
}

export async function rawConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  let seen = ''
  // A reset is one of the ways in which the other side closes.
  socket.on('error', () => {})
  socket.setEncoding('latin1').on('data', (text) => {
    seen += String(text)
  })
  return {
    socket,
    write: (text) => void socket.write(text, 'latin1'),
    async untilClosed() {
      // Not events.once: that would fail on a reset.
      if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
      return seen
    },
    async until(text) {
      while (!seen.includes(text)) await once(socket, 'data')
      return seen
    },
  }
}

/** The head of a POST to `/in/acme`, each header on its line. */
export function head(...headers: readonly string[]): string {
  return `${['POST /in/acme HTTP/1.1', 'Host: example.test', ...headers].join('\r\n')}\r\n\r\n`
}
