/** What happened in the gateway a moment ago. */
export type LiveEvent = {
  /** `gap`: more was missed than is kept, so that what is shown has to be read again. */
  readonly kind: 'delivery' | 'handler' | 'effect' | 'message' | 'upkeep' | 'notice' | 'capture' | 'automation' | 'gap'
  readonly at: string
  readonly outcome?: string
  readonly source?: string
  readonly eventId?: string
  readonly type?: string
  readonly objectId?: string
  readonly receiptId?: string
  readonly status?: number
  readonly reason?: string
  readonly detail?: string
  readonly handler?: string
  readonly attempt?: number
  readonly endsAs?: string
  readonly error?: string
  readonly key?: string
  readonly nextAttemptInSeconds?: number
  readonly latencyMilliseconds?: number
  readonly tookMilliseconds?: number
  readonly [other: string]: unknown
}

export type LiveState = 'connecting' | 'open' | 'lost'

/** One stream for the whole app. */
export type LiveStream = {
  readonly subscribe: (listener: (event: LiveEvent) => void) => () => void
  readonly watch: (listener: (state: LiveState) => void) => () => void
  readonly state: () => LiveState
  readonly close: () => void
}

const kinds = ['delivery', 'handler', 'effect', 'message', 'upkeep', 'notice', 'capture', 'automation', 'gap'] as const
const retryMilliseconds = 3_000

/** A browser gives a server six connections for all tabs together: one that nobody looks at lets go of its own. */
export function openLive(address: URL): LiveStream {
  const listeners = new Set<(event: LiveEvent) => void>()
  const watchers = new Set<(state: LiveState) => void>()
  let state: LiveState = 'connecting'
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const move = (next: LiveState): void => {
    if (state === next) return
    state = next
    for (const watcher of watchers) watcher(next)
  }
  const connect = (): void => {
    clearTimeout(timer)
    stream?.close()
    const opened = new EventSource(address)
    stream = opened
    opened.addEventListener('open', () => move('open'))
    opened.addEventListener('error', () => {
      move('lost')
      // The browser tries again by itself, unless the answer was an error.
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(connect, retryMilliseconds)
    })
    for (const kind of kinds) opened.addEventListener(kind, (message) => tell(kind, message as MessageEvent<string>))
  }
  const tell = (kind: LiveEvent['kind'], { data }: MessageEvent<string>): void => {
    try {
      const event = { at: new Date().toISOString(), ...(JSON.parse(data) as object), kind } as LiveEvent
      for (const listener of listeners) listener(event)
    } catch {
      // A line that cannot be read must not end the stream.
    }
  }
  const look = (): void => {
    if (document.visibilityState === 'visible') connect()
    else {
      clearTimeout(timer)
      stream?.close()
      move('connecting')
    }
  }

  document.addEventListener('visibilitychange', look)
  look()
  return {
    subscribe: (listener) => addTo(listeners, listener),
    watch: (watcher) => addTo(watchers, watcher),
    state: () => state,
    close() {
      document.removeEventListener('visibilitychange', look)
      clearTimeout(timer)
      stream?.close()
    },
  }
}

function addTo<Item>(set: Set<Item>, item: Item): () => void {
  set.add(item)
  return () => void set.delete(item)
}
