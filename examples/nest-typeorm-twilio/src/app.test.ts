import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { INestApplication } from '@nestjs/common'
import { concurrently, deliveries, expectProcessedOnce, outOfOrder } from 'oncehook/testing'
import { DataSource } from 'typeorm'
import { createApp } from './app.js'
import { INBOX } from './app.module.js'
import { Note, SentMessage } from './entities.js'
import type { TwilioInbox } from './inbox.js'

const secret = process.env.TWILIO_WEBHOOK_SECRET ?? ''
let app: INestApplication
let url = ''

before(async () => {
  app = await createApp()
  await app.listen(0, '127.0.0.1')
  url = `${await app.getUrl()}/webhooks/twilio`
})

after(() => app.close())

test('a message is noted and answered once, though twenty copies come at the same moment', async () => {
  const message = deliveries.twilio('message.received', { Body: 'Please call me' }, { secret, url })

  const answers = await concurrently(20, () => fetch(message.again({ url }).request(url)))

  const texts = await Promise.all(answers.map((answer) => answer.text()))
  assert.equal(texts.filter((text) => text.includes('<Message>')).length, 1)
  await expectProcessedOnce(app.get<TwilioInbox>(INBOX), message)
  const notes = await app.get(DataSource).getRepository(Note).findBy({ eventId: message.id })
  assert.deepEqual(
    notes.map(({ body }) => body),
    ['Please call me'],
  )
})

test('a message stays delivered, in whichever order its callbacks come', async () => {
  const MessageSid = `SM${Date.now()}`
  const callbacks = ['sent', 'delivered'].map((status) =>
    deliveries.twilio(`message.${status}`, { MessageSid }, { secret, url }),
  )

  for (const callback of outOfOrder(callbacks)) await fetch(callback.request(url))

  const sent = await app.get(DataSource).getRepository(SentMessage).findOneBy({ sid: MessageSid })
  assert.equal(sent?.status, 'delivered')
})

test('nothing is noted for a forgery', async () => {
  const forged = deliveries.twilio('message.received', {}, { secret, url }).tampered()

  const answer = await fetch(forged.request(url))

  assert.equal(answer.status, 401)
  assert.equal(await app.get(DataSource).getRepository(Note).countBy({ eventId: forged.id }), 0)
})
