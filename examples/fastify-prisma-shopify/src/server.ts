import { app } from './app.ts'
import { createTables, prisma } from './database.ts'
import { inbox } from './inbox.ts'

await createTables()
const port = Number(process.env.PORT ?? 3000)
await app.listen({ port })
console.log(`http://127.0.0.1:${port}/webhooks/shopify`)

process.once('SIGTERM', async () => {
  await app.close()
  await inbox.close()
  await prisma.$disconnect()
})
