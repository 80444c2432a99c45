import { createInbox } from 'oncehook'
import { twilio } from 'oncehook/providers/twilio'
import { typeormStore } from 'oncehook/typeorm'
import type { DataSource } from 'typeorm'
import { Note, SentMessage } from './entities.js'

export type TwilioInbox = ReturnType<typeof createTwilioInbox>

/** Status callbacks carry no time, but a message only ever moves forward. */
const progress: Readonly<Record<string, number>> = {
  queued: 0,
  sending: 1,
  sent: 2,
  delivered: 3,
  undelivered: 3,
  failed: 3,
}

export function createTwilioInbox(dataSource: DataSource) {
  const { TWILIO_WEBHOOK_SECRET: secret, PUBLIC_URL: publicUrl } = process.env
  const inbox = createInbox({
    store: typeormStore(dataSource),
    sources: { twilio: twilio({ secret, ...(publicUrl ? { publicUrl } : {}) }) },
  })

  inbox.on('twilio', 'message.received', async (event, { tx, respond }) => {
    const { From: from, Body: body } = event.payload
    await tx.insert(Note, { eventId: event.id, from, body })
    respond({ body: '<Response><Message>Thank you, we have noted it.</Message></Response>' })
  })

  inbox.on(
    'twilio',
    ['message.sent', 'message.delivered', 'message.undelivered', 'message.failed'],
    async (event, { tx, latest }) => {
      const { MessageSid: sid, MessageStatus: status } = event.payload
      await latest(`message:${sid}`, progress[status] ?? 0, () => tx.save(SentMessage, { sid, status }))
    },
  )

  return inbox
}
