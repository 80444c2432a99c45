import { createInbox } from 'oncehook'
import { kyselyStore } from 'oncehook/kysely'
import { slack } from 'oncehook/providers/slack'
import { handler } from 'oncehook/targets/handler'
import { database } from './database.ts'
import { postToSlack } from './post-to-slack.ts'

export const inbox = createInbox({
  store: kyselyStore(database),
  sources: { slack: slack({ secret: process.env.SLACK_WEBHOOK_SECRET }) },
  // Slack waits 3 seconds: record, answer, and let the worker do the rest.
  mode: 'queued',
  targets: { slack: handler(postToSlack) },
})

inbox.on('slack', 'app_mention', async ({ id, payload }, { tx, outbox }) => {
  const { channel, user, text, ts } = payload.event
  await tx.insertInto('mentions').values({ event_id: id, channel, user_id: user, text }).execute()
  await outbox.add('slack', { channel, thread_ts: ts, text: `Noted, <@${user}>.` })
})
