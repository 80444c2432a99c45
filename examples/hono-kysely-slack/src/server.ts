import { serve } from '@hono/node-server'
import { app } from './app.ts'
import { createTables, database } from './database.ts'
import { inbox } from './inbox.ts'

await createTables()
await inbox.start()
const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}/webhooks/slack`),
)

process.once('SIGTERM', async () => {
  server.close()
  await inbox.close()
  await database.destroy()
})
