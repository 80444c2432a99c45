// Oncehook's admin surface on a server of its own, as a dashboard calls it.
import { createServer } from 'node:http'
import { folder, inbox } from './oncehook-build.mjs'
import { serve } from './serve.mjs'

const { createAdmin } = await import(`${folder}/admin/create-admin.js`)
const options = { inbox, isOpenOnLoopback: true }
const admin = createAdmin(options)

// An admin surface remembers the overview for a second. A new one for each of these calls, made beforehand, has nothing to remember.
let fresh = createAdmin(options)
const server = createServer((request, response) => {
  if (!request.url.startsWith('/api/v1/overview')) return admin.nodeHandler(request, response)
  const used = fresh
  used.nodeHandler(request, response)
  response.once('close', () => {
    used.close()
    fresh = createAdmin(options)
  })
})

await inbox.migrate()
serve(server)
