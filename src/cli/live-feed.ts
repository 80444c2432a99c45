import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InboxEvent, InboxListener } from '../index.ts'

/** What happens, for any number of listeners that come and go. */
export type LiveFeed = {
  readonly emit: InboxListener
  /** Returns a function that ends it. */
  readonly subscribe: (listener: InboxListener) => () => void
}

/** Tells the first listener and whoever else comes, each on its own: one that throws does not disturb the others. */
export function createLiveFeed(first: InboxListener): LiveFeed {
  const listeners = new Set<InboxListener>([first])
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch {
          // Looking on must not lose a webhook.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A reader that falls so far behind is let go: it must not fill the memory of the receiver. */
const mostWaitingBytes = 4 * 1024 * 1024

/** Tells what happens from now on, one JSON document a line, until the other side goes. */
export function streamEvents(
  subscribe: LiveFeed['subscribe'],
  encode: (event: InboxEvent) => string,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders()
  const leave = subscribe((event) => {
    if (response.writableLength > mostWaitingBytes) response.destroy()
    else response.write(`${encode(event)}\n`)
  })
  response.once('close', leave)
}

/** Reads such a stream. Resolves when it ends, however it ends. */
export async function readEvents(
  response: IncomingMessage,
  decode: (text: string) => unknown,
  listener: InboxListener,
): Promise<void> {
  let rest = ''
  try {
    for await (const part of response.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + part).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) listener(decode(line) as InboxEvent)
    }
  } catch {
    // Whoever told it was killed, which is an end like any other.
  }
}
