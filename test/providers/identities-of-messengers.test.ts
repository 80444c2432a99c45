import { describe, expect, test } from 'vitest'
import { discord } from '../../src/providers/discord.ts'
import { slack } from '../../src/providers/slack.ts'
import { telegram } from '../../src/providers/telegram.ts'
import { twilio } from '../../src/providers/twilio.ts'
import { whatsapp } from '../../src/providers/whatsapp.ts'

const secret = 'a-secret-that-is-long-enough'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'

describe('a callback of Twilio', () => {
  const identify = (fields: Record<string, string>) =>
    twilio({ secret }).identify({ headers: form, body: new URLSearchParams(fields).toString() })

  test('is one event per status of a message', () => {
    expect(identify({ MessageSid: 'SM1', MessageStatus: 'sent' })).toMatchObject([
      { id: 'SM1:sent', type: 'message.sent', objectId: 'SM1' },
    ])
    expect(identify({ MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '30003' })).toMatchObject([
      { id: 'SM1:failed:30003' },
    ])
  })

  test('is known by the message when it is an incoming one', () => {
    expect(identify({ MessageSid: 'SM1', SmsStatus: 'received', Body: 'Hello' })).toMatchObject([
      { id: 'SM1', type: 'message.received' },
    ])
  })

  test('is told apart by its sequence number in a call, or by its fields if there is none', () => {
    const step = (Digits: string) => identify({ CallSid: 'CA1', CallStatus: 'in-progress', Digits })

    expect(identify({ CallSid: 'CA1', CallStatus: 'completed', SequenceNumber: '3' })).toMatchObject([
      { id: 'CA1:completed:3', type: 'call.completed' },
    ])
    expect(step('1')).toEqual(step('1'))
    expect(step('1')).not.toEqual(step('2'))
  })

  test('is malformed when it names nothing known, and points to the way out', () => {
    expect(identify({ Foo: 'bar' })).toMatchObject({ kind: 'malformed', detail: expect.stringContaining('"identity"') })
  })

  test('is a list of events when it comes from Event Streams', () => {
    const body = JSON.stringify([
      { id: 'EZ1', type: 'com.twilio.messaging.message.sent' },
      { id: 'EZ2', type: 'com.twilio.voice.status' },
    ])

    expect(twilio({ secret }).identify({ headers: { 'content-type': 'application/json' }, body })).toMatchObject([
      { id: 'EZ1', part: '/0' },
      { id: 'EZ2', part: '/1' },
    ])
  })
})

describe('a request of Slack', () => {
  const identifyForm = (fields: Record<string, string>) =>
    slack({ secret }).identify({ headers: form, body: new URLSearchParams(fields).toString() })

  test('is known by its trigger when it is a command or a click', () => {
    expect(identifyForm({ command: '/weather', trigger_id: '1.2.a' })).toMatchObject([
      { id: '1.2.a', type: 'slash_command', objectId: '/weather' },
    ])
    expect(identifyForm({ payload: '{"type":"block_actions","trigger_id":"1.2.b"}' })).toMatchObject([
      { id: '1.2.b', type: 'block_actions' },
    ])
  })

  test('is told apart by its body when it has no trigger', () => {
    const closed = (view: string) => identifyForm({ payload: `{"type":"view_closed","view":{"id":"${view}"}}` })

    expect(closed('V1')).toMatchObject([{ type: 'view_closed', objectId: 'V1' }])
    expect(closed('V1')).not.toEqual(closed('V2'))
  })

  test('is known by team and minute when it says that events are held back', () => {
    const body = '{"type":"app_rate_limited","team_id":"T1","api_app_id":"A1","minute_rate_limited":1794744000}'

    expect(slack({ secret }).identify({ body })).toMatchObject([
      { id: 'app_rate_limited:T1:A1:1794744000', type: 'app_rate_limited' },
    ])
  })
})

describe('an update of Telegram', () => {
  const body = '{"update_id":987,"message":{"message_id":5,"date":1794744000,"chat":{"id":-100}}}'

  test('has the type of its other member', () => {
    expect(telegram({ secret }).identify({ body })).toEqual([
      { id: '987', type: 'message', objectId: '-100:5', occurredAt: new Date('2026-11-15T12:00:00.000Z') },
    ])
  })

  test('is scoped by its bot when there are several', () => {
    expect(telegram({ secret, bot: 'shop' }).identify({ body })).toMatchObject([{ id: 'shop:987' }])
  })
})

describe('a batch of WhatsApp', () => {
  const identify = (changes: readonly unknown[]) =>
    whatsapp({ secret }).identify({ body: JSON.stringify({ entry: [{ id: '1', time: 1794744000, changes }] }) })
  const statuses = (...list: readonly unknown[]) => ({ field: 'messages', value: { statuses: list } })

  test('has one event per message and per status, each with its place', () => {
    const messages = { field: 'messages', value: { messages: [{ id: 'wamid.a' }, { id: 'wamid.b' }] } }

    expect(
      identify([messages, statuses({ id: 'wamid.a', status: 'sent' }, { id: 'wamid.a', status: 'read' })]),
    ).toMatchObject([
      { id: 'wamid.a', type: 'messages', part: '/entry/0/changes/0/value/messages/0' },
      { id: 'wamid.b', type: 'messages', part: '/entry/0/changes/0/value/messages/1' },
      { id: 'wamid.a:sent', type: 'statuses', part: '/entry/0/changes/1/value/statuses/0' },
      { id: 'wamid.a:read', type: 'statuses', part: '/entry/0/changes/1/value/statuses/1' },
    ])
  })

  test('cannot hold a message whose id looks like that of a status', () => {
    expect(identify([{ field: 'messages', value: { messages: [{ id: 'wamid.a:sent' }] } }])).toMatchObject([
      { id: 'wamid.a%3Asent' },
    ])
  })

  test('has a derived id for other changes', () => {
    const update = (event: string) => identify([{ field: 'account_update', value: { event } }])

    expect(update('DISABLED')).toMatchObject([
      { id: expect.stringMatching(/^account_update:1:[0-9a-f]{64}$/), type: 'account_update' },
    ])
    expect(update('DISABLED')).toEqual(update('DISABLED'))
    expect(update('DISABLED')).not.toEqual(update('VERIFIED'))
  })

  test('is malformed as a whole when one of its messages has no id, and says which', () => {
    expect(identify([{ field: 'messages', value: { messages: [{ id: 'wamid.a' }, {}] } }])).toMatchObject({
      detail: expect.stringContaining('/entry/0/changes/0/value/messages/1'),
    })
  })
})

describe('an event of Discord', () => {
  test('has the name of its interaction and the time in its id', () => {
    const body = '{"id":"786008729715212338","type":3,"data":{"custom_id":"approve"}}'

    expect(discord({ publicKey }).identify({ body })).toEqual([
      {
        id: '786008729715212338',
        type: 'interaction.message_component',
        objectId: 'approve',
        occurredAt: new Date('2020-12-08T23:18:04.500Z'),
      },
    ])
  })

  test('has a derived id when it is a webhook event', () => {
    const event = (user: string) => ({
      type: 1,
      event: { type: 'APPLICATION_AUTHORIZED', timestamp: '2026-11-15T12:00:00', data: { user } },
    })
    const identify = (user: string) => discord({ publicKey }).identify({ body: JSON.stringify(event(user)) })

    expect(identify('a')).toMatchObject([{ type: 'APPLICATION_AUTHORIZED' }])
    expect(identify('a')).toEqual(identify('a'))
    expect(identify('a')).not.toEqual(identify('b'))
  })
})
