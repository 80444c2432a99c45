import { app } from './app.ts'
import { createTables, pool } from './database.ts'
import { inbox } from './inbox.ts'

await createTables()
// GitHub never sends again by itself, so a push whose handler fails is kept and tried again here.
await inbox.start()
const port = Number(process.env.PORT ?? 3000)
const server = app.listen(port, () => console.log(`http://127.0.0.1:${port}/webhooks/github`))

process.once('SIGTERM', async () => {
  server.close()
  await inbox.close()
  await pool.end()
})
