import { createWebhookServer } from 'oncehook/server'
import { createTables, inbox, pool } from './inbox.ts'

// Verifies, records and answers. It never runs a handler, so it stays fast whatever they do.
await createTables()
const server = createWebhookServer(inbox)
const { port } = await server.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
console.log(`http://127.0.0.1:${port}/in/stripe`)

process.once('SIGTERM', async () => {
  await server.close()
  await inbox.close()
  await pool.end()
})
