import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base } from '../support/inbox.ts'

type Seen = { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, unknown>> }

/** A provider's API over HTTP, as its own client sees it. */
export type FakeApi = {
  readonly url: string
  readonly port: number
  readonly seen: readonly Seen[]
  /** What the next request of a path is answered; the last answer stays. `never` leaves it waiting. */
  readonly answer: (path: string, ...answers: readonly (Answer | 'never')[]) => void
}

type Answer = { readonly status: number; readonly body: unknown }

/** As Stripe and GitHub answer what they do not have; each client reads its own part. */
const missing: Answer = {
  status: 404,
  body: {
    error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object' },
    message: 'Not Found',
  },
}

export const test = base.extend<{ readonly api: FakeApi }>({
  api: async ({}, use) => {
    const seen: Seen[] = []
    const answers = new Map<string, (Answer | 'never')[]>()
    const server = createServer(({ method = '', url: path = '', headers }, response) => {
      seen.push({ method, path, headers })
      const planned = answers.get(path) ?? [missing]
      const answer = (planned.length > 1 ? planned.shift() : planned[0]) ?? missing
      if (answer === 'never') return
      response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': 'req_1' })
      response.end(JSON.stringify(answer.body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo

    await use({
      url: `http://127.0.0.1:${port}`,
      port,
      seen,
      answer: (path, ...planned) => void answers.set(path, [...planned]),
    })

    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  },
})
