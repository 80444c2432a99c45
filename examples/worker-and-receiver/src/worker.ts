import { createTables, inbox, pool } from './inbox.ts'

// Runs handlers, retries them, and sends what is in the outbox. Start as many as you like.
await createTables()
await inbox.start()
console.log('working')

process.once('SIGTERM', async () => {
  await inbox.close() // finishes what it runs
  await pool.end()
})
