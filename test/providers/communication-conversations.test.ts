import { describe, expect, test } from 'vitest'
import { messenger } from '../../src/providers/messenger.ts'
import { plivo } from '../../src/providers/plivo.ts'
import { twitchEventsub } from '../../src/providers/twitch-eventsub.ts'
import { viber } from '../../src/providers/viber.ts'
import { zoom } from '../../src/providers/zoom.ts'
import type { Provider } from '../../src/verify/provider.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const open = { unverified: true } as const
const identifyJson = (source: Provider, document: unknown) => source.identify({ body: JSON.stringify(document) })
const identifyForm = (source: Provider, fields: Record<string, string>) =>
  source.identify({ headers: form, body: new URLSearchParams(fields).toString() })

describe('an event of Messenger', () => {
  const envelope = { sender: { id: 's' }, recipient: { id: 'p' }, timestamp: 1794743998000 }
  const identify = (list: string, ...items: readonly unknown[]) =>
    identifyJson(messenger(open), { object: 'page', entry: [{ id: 'p', time: 1, [list]: items }] })
  const idOf = (item: object) => (identify('messaging', { ...envelope, ...item }) as readonly { id: string }[])[0]?.id

  test('is known by its mid if it is a message or a postback', () => {
    expect(
      identify('messaging', { ...envelope, message: { mid: 'm_1' } }, { ...envelope, postback: { mid: 'm_2' } }),
    ).toEqual([
      {
        id: 'm_1',
        type: 'message',
        objectId: 'm_1',
        occurredAt: new Date(1794743998000),
        part: '/entry/0/messaging/0',
      },
      {
        id: 'm_2',
        type: 'postback',
        objectId: 'm_2',
        occurredAt: new Date(1794743998000),
        part: '/entry/0/messaging/1',
      },
    ])
  })

  test('is another one for what only refers to a message', () => {
    const ids = [
      { message: { mid: 'm_1' } },
      { message: { mid: 'm_1', is_deleted: true } },
      { reaction: { mid: 'm_1', action: 'react' } },
      { reaction: { mid: 'm_1', action: 'unreact' } },
      { message_edit: { mid: 'm_1', num_edit: 1 } },
      { delivery: { mids: ['m_1'], watermark: 7 } },
      { read: { watermark: 7 } },
      { read: { watermark: 8 } },
      { optin: { ref: 'a' } },
    ].map(idOf)

    expect(new Set(ids).size).toBe(ids.length)
    expect(idOf({ read: { watermark: 7 } })).toBe(idOf({ read: { watermark: 7 } }))
  })

  test('has a type of its own if another app is in charge of it', () => {
    expect(identify('standby', { ...envelope, message: { mid: 'm_1' } })).toMatchObject([
      { id: 'm_1', type: 'standby.message', part: '/entry/0/standby/0' },
    ])
  })

  test('may be a change of the page, which has no id', () => {
    expect(identify('changes', { field: 'feed', value: { item: 'post' } })).toMatchObject([
      { id: expect.stringMatching(/^feed:p:[0-9a-f]{64}$/), type: 'feed', part: '/entry/0/changes/0' },
    ])
  })

  test('is malformed if it names nothing', () => {
    expect(identify('messaging', envelope)).toMatchObject({ kind: 'malformed' })
  })
})

describe('a callback of Viber', () => {
  test('keeps all digits of its token, and is one event for each status and user', () => {
    const identify = (event: string, user: string) =>
      viber(open).identify({ body: `{"event":"${event}","message_token":4912661846655238145,"user_id":"${user}"}` })

    expect(identify('delivered', 'u1')).toEqual([
      { id: 'delivered:4912661846655238145:u1', type: 'delivered', objectId: '4912661846655238145' },
    ])
    expect(identify('seen', 'u1')).not.toEqual(identify('delivered', 'u1'))
    expect(identify('seen', 'u2')).not.toEqual(identify('seen', 'u1'))
  })
})

describe('a callback of Plivo', () => {
  const identify = (fields: Record<string, string>) => identifyForm(plivo(open), fields)

  test('is one event for each status of a message', () => {
    expect(identify({ MessageUUID: 'm1', Status: 'sent' })).toEqual([
      { id: 'm1:sent', type: 'message.sent', objectId: 'm1' },
    ])
    expect(identify({ MessageUUID: 'm1', Status: 'failed', ErrorCode: '30' })).toMatchObject([{ id: 'm1:failed:30' }])
    expect(identify({ MessageUUID: 'm1', Text: 'Hello' })).toMatchObject([{ id: 'm1:received' }])
  })

  test('is known by the call where a step happens once', () => {
    expect(identify({ CallUUID: 'c1', Event: 'Hangup', CallStatus: 'completed' })).toEqual([
      { id: 'c1:Hangup', type: 'call.Hangup', objectId: 'c1' },
    ])
  })

  test('is a new event each time where a step can happen again', () => {
    const step = { CallUUID: 'c1', Event: 'Redirect', CallStatus: 'in-progress' }

    expect(identify(step)).toMatchObject([{ id: expect.stringMatching(/^arrival:/), type: 'call.Redirect' }])
    expect(identify(step)).not.toEqual(identify(step))
  })

  test('is malformed without a call or a message', () => {
    expect(identify({ Event: 'Hangup' })).toMatchObject({ kind: 'malformed' })
  })
})

describe('an event of Zoom', () => {
  const event = { event: 'meeting.participant_joined', event_ts: 1794767995500 }
  const identify = (participant: string, more: object = {}) =>
    identifyJson(zoom(open), { ...event, payload: { object: { uuid: 'u==', participant } }, ...more })

  test('is known by its kind, moment and content', () => {
    expect(identify('a')).toMatchObject([
      { type: 'meeting.participant_joined', objectId: 'u==', occurredAt: new Date(1794767995500) },
    ])
    expect(identify('a')).toEqual(identify('a'))
    expect(identify('a')).not.toEqual(identify('b'))
    expect(identify('a')).not.toEqual(identify('a', { event_ts: 1794767995501 }))
  })

  test('stays the same under another token to download a recording', () => {
    expect(identify('a', { download_token: 'x' })).toEqual(identify('a', { download_token: 'y' }))
  })
})

describe('a message of Twitch', () => {
  test('that ends a subscription is an event too', () => {
    const source = twitchEventsub(open)
    const subscription = { id: 'sub', type: 'channel.follow', status: 'authorization_revoked' }
    const headers = { 'twitch-eventsub-message-id': 'm1' }

    expect(source.identify({ headers, body: JSON.stringify({ subscription }) })).toEqual([
      { id: 'm1', type: 'revocation', objectId: 'sub' },
    ])
  })
})
