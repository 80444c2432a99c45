import express from 'express'
import { expressHandler } from 'oncehook/express'
import { pool } from './database.ts'
import { inbox } from './inbox.ts'

export const app = express()

// Before any body parser: a signature is over bytes, and a parser keeps none of them.
app.use('/webhooks', expressHandler(inbox))
app.use(express.json())

app.get('/builds', async (_request, response) => {
  const { rows } = await pool.query('select repository, branch, commit from builds')
  response.json(rows)
})
