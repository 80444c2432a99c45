import { inboxOfProcess } from '../inbox.mjs'

const handle = inboxOfProcess().handler()
globalThis.Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: (request) => route(request) })

async function route(request) {
  if (new URL(request.url).pathname.startsWith('/parsed/')) await request.json()
  return handle(request)
}
