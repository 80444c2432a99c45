import { Hono } from 'hono'
import { honoHandler } from 'oncehook/hono'
import { database } from './database.ts'
import { inbox } from './inbox.ts'

export const app = new Hono()

// Also answers the challenge that Slack sends when the address is set.
app.all('/webhooks/:source', honoHandler(inbox))

app.get('/mentions', async (context) => context.json(await database.selectFrom('mentions').selectAll().execute()))
