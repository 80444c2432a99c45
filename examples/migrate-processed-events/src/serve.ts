import type { Express } from 'express'
import { createTables, pool } from './database.ts'
import { inbox } from './inbox.ts'

export async function serve(app: Express): Promise<void> {
  await createTables()
  const port = Number(process.env.PORT ?? 3000)
  const server = app.listen(port, () => console.log(`http://127.0.0.1:${port}/webhooks/stripe`))
  process.once('SIGTERM', async () => {
    server.close()
    await inbox.close()
    await pool.end()
  })
}
