import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type FakeAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A provider's API on this machine, by HTTP. */
export type FakeApi = {
  readonly url: string
  /** Every request, as `GET /path?query`. */
  readonly requests: string[]
  /** The next requests are answered so, before anything else is looked at. */
  readonly answerNext: (...answers: readonly FakeAnswer[]) => void
  readonly close: () => Promise<void>
}

/** Answers with JSON as providers write it, indented. */
export async function startFakeApi(
  answer: (url: URL, request: IncomingMessage) => FakeAnswer,
  credentials: { readonly header: string; readonly value: string },
): Promise<FakeApi> {
  const requests: string[] = []
  const planned: FakeAnswer[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake')
    requests.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`)
    const isKnown = request.headers[credentials.header] === credentials.value
    send(response, planned.shift() ?? (isKnown ? answer(url, request) : { status: 401, body: { error: 'who?' } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerNext: (...answers) => void planned.push(...answers),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: FakeAnswer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {}, undefined, 2)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}
