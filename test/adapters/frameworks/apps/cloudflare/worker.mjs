import { cloudflareWorker } from 'oncehook/cloudflare'
import { openInbox } from '../../inbox.mjs'

const worker = cloudflareWorker(
  ({ HYPERDRIVE, SCHEMA }) => openInbox({ databaseUrl: HYPERDRIVE.connectionString, schema: SCHEMA }),
  { work: 'by_schedule' },
)

export default {
  scheduled: worker.scheduled,
  async fetch(request, environment, context) {
    if (new URL(request.url).pathname.startsWith('/parsed/')) await request.json()
    return worker.fetch(request, environment, context)
  },
}
