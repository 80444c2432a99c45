import type { Clock } from '../clock.ts'
import type { InboxEvent } from '../index.ts'
import { type Refusal, refuse } from './refusal.ts'

/** What happens, told to browsers as it happens. */
export type Live = {
  /** Tells everybody. */
  readonly tell: (event: LiveEvent) => void
  /** A stream of server-sent events that ends when nobody reads it any more. */
  readonly open: (options: LiveOptions) => ReadableStream<Uint8Array> | Refusal
  /** Ends all streams. */
  readonly close: () => void
}

/** Something with a kind; most are events of an inbox. */
export type LiveEvent = InboxEvent | { readonly kind: string; readonly [member: string]: unknown }

export type LiveOptions = {
  /** Only what is of this source, and what is of none. */
  readonly source: string | undefined
  /** The id of the last event that was seen: what came after it is told first. */
  readonly lastEventId: string | undefined
}

/** How many events are kept for those whose connection broke. */
const ringSize = 500
const mostClients = 100
/** So many events may wait for a reader that is slow. Whoever is slower is told so and cut off, and may come again with the last id. */
const mostWaiting = 1000
const tooSlow = `event: slow\ndata: {"message":"More than ${mostWaiting} events were waiting to be read: read again from the last id."}\n\n`
const beatMilliseconds = 15_000

type Entry = { readonly id: number; readonly source: unknown; readonly text: string }

type Client = { readonly push: (text: string) => void; readonly end: () => void; readonly source: string | undefined }

/** Ids grow, also from one process to the next, because they begin with the time. */
export function createLive(clock: Clock): Live {
  const ring: Entry[] = []
  const clients = new Set<Client>()
  const encoder = new TextEncoder()
  const closed = new AbortController()
  let lastId = clock.now().getTime() * 1000

  return {
    tell(event) {
      lastId += 1
      const at = clock.now().toISOString()
      const text = `event: ${event.kind}\nid: ${lastId}\ndata: ${JSON.stringify({ ...event, at })}\n\n`
      const entry = { id: lastId, source: 'source' in event ? event.source : undefined, text }
      ring.push(entry)
      if (ring.length > ringSize) ring.shift()
      for (const client of clients) if (isFor(entry, client.source)) client.push(text)
    },
    open({ source, lastEventId }) {
      if (closed.signal.aborted) return refuse('unavailable', 'The server is stopping.')
      if (clients.size >= mostClients)
        return refuse('unavailable', `There are ${mostClients} readers already.`, { headers: { 'retry-after': '10' } })
      return stream(source, greeting(source, lastEventId))
    },
    close() {
      closed.abort()
      for (const client of clients) client.end()
    },
  }

  /** What was missed, or that it cannot be known what was missed: then whoever shows lists reads them again. */
  function greeting(source: string | undefined, lastEventId: string | undefined): readonly string[] {
    const open = `retry: 2000\n: connected\n\n`
    if (lastEventId === undefined) return [open]
    const last = /^\d{1,17}$/.test(lastEventId) ? Number(lastEventId) : 0
    const oldest = ring[0]?.id ?? lastId + 1
    const gap = last < oldest - 1 || last > lastId ? [`event: gap\nid: ${oldest - 1}\ndata: {}\n\n`] : []
    return [open, ...gap, ...ring.filter((entry) => entry.id > last && isFor(entry, source)).map(({ text }) => text)]
  }

  function stream(source: string | undefined, first: readonly string[]): ReadableStream<Uint8Array> {
    const waiting = [...first]
    let wanting: ReadableStreamDefaultController<Uint8Array> | undefined
    const client: Client = {
      source,
      push(text) {
        waiting.push(text)
        if (waiting.length > mostWaiting) end(tooSlow)
        else flush()
      },
      end: () => end(),
    }
    const beat = setInterval(() => client.push(': still here\n\n'), beatMilliseconds).unref()
    const leave = (): void => {
      clearInterval(beat)
      clients.delete(client)
      waiting.length = 0
    }
    let end: (lastWords?: string) => void = leave
    clients.add(client)
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          end = (lastWords) => {
            leave()
            if (lastWords !== undefined) controller.enqueue(encoder.encode(lastWords))
            controller.close()
          }
        },
        pull(controller) {
          wanting = controller
          flush()
        },
        cancel: leave,
      },
      { highWaterMark: 1 },
    )

    /** Hands over all that waits, once the reader asks for more: what it has not taken yet stays here, where it is counted. */
    function flush(): void {
      if (wanting === undefined || waiting.length === 0) return
      const controller = wanting
      wanting = undefined
      controller.enqueue(encoder.encode(waiting.splice(0).join('')))
    }
  }
}

function isFor(entry: Entry, source: string | undefined): boolean {
  return source === undefined || entry.source === undefined || entry.source === source
}
