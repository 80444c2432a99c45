// Oncehook's admin surface on a server of its own, as a dashboard calls it.
import { createServer } from 'node:http'
import { folder, inbox } from './oncehook-build.mjs'
import { serve } from './serve.mjs'

const { createAdmin } = await import(`${folder}/admin/create-admin.js`)
const options = { inbox, isOpenOnLoopback: true }
const admin = createAdmin(options)

// An admin surface remembers the overview for a second. A new one for each of these calls has nothing to remember.
const server = createServer((request, response) => {
  if (!request.url.startsWith('/api/v1/overview')) return admin.nodeHandler(request, response)
  const fresh = createAdmin(options)
  response.once('close', fresh.close)
  fresh.nodeHandler(request, response)
})

await inbox.migrate()
serve(server)
