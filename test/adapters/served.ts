import { test as plainTest, type TestAPI } from 'vitest'
import type { Door } from '../../src/delivery/door.ts'

/** A request, sent as it stands: nothing is added that a framework might need. */
export type RequestToSend = {
  readonly method?: string
  /** Default `/in/acme`. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An iterable is sent in chunks without an announced length, unless the headers announce one. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>
}

export type AnswerSeen = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export type Served = {
  readonly origin: string
  readonly send: (request: RequestToSend) => Promise<AnswerSeen>
  readonly close: () => Promise<void>
}

export type ServeOptions = {
  readonly door: Door
  readonly source?: string
  readonly readSeconds?: number
}

/** Puts an adapter before a door. */
export type Serve = (options: ServeOptions) => Promise<Served>

/** Tests that get `serve`; what they open is closed after them. */
export function testWith(serveAdapter: Serve): TestAPI<{ serve: Serve }> {
  return plainTest.extend<{ serve: Serve }>({
    serve: async ({}, use) => {
      const opened: Served[] = []
      await use(async (options) => {
        const served = await serveAdapter(options)
        opened.push(served)
        return served
      })
      await Promise.all(opened.map(({ close }) => close()))
    },
  })
}

/** A body in these pieces. */
export async function* chunks(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

/** A body that starts and then never goes on. */
export async function* stalled(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  yield* chunks(...pieces)
  await new Promise(() => {})
}
