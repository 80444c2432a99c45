import { createInbox } from 'oncehook'
import { postgresStore } from 'oncehook/postgres'
import { github } from 'oncehook/providers/github'
import { pool } from './database.ts'

export const inbox = createInbox({
  store: postgresStore(pool),
  sources: { github: github({ secret: process.env.GITHUB_WEBHOOK_SECRET }) },
})

inbox.on('github', 'push', async ({ id, payload }, { tx }) => {
  const branch = payload.ref.replace('refs/heads/', '')
  await tx.query('insert into builds (event_id, repository, branch, commit) values ($1, $2, $3, $4)', [
    id,
    payload.repository.full_name,
    branch,
    payload.after,
  ])
})
