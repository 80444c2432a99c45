import { describe, expect, test } from 'vitest'
import { answerOf } from '../../src/delivery/answer.ts'
import { airtable } from '../../src/providers/airtable.ts'
import { asana } from '../../src/providers/asana.ts'
import { dropbox } from '../../src/providers/dropbox.ts'
import { figma } from '../../src/providers/figma.ts'
import { freshdesk } from '../../src/providers/freshdesk.ts'
import { trello } from '../../src/providers/trello.ts'
import { idsOf, statusOfRefusal } from './reading.ts'

/** Also right as base64, which Airtable wants. */
const secret = 'YS1zZWNyZXQtdGhhdC1pcy1sb25nLWVub3VnaA=='

describe('an event of Dropbox', () => {
  const accounts = ['dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc', 'dbid:AAG5Ns4WBNQ9YAvbaAzfjdsQlhOEQWEQoeE']
  const identify = (payload: unknown) => dropbox({ secret }).identify({ body: JSON.stringify(payload) })

  test('is one account of the list', () => {
    expect(identify({ list_folder: { accounts }, delta: { users: [12345678] } })).toMatchObject([
      { type: 'list_folder', objectId: accounts[0], part: '/list_folder/accounts/0' },
      { type: 'list_folder', objectId: accounts[1], part: '/list_folder/accounts/1' },
    ])
  })

  test('is never taken for another one, though their bodies are equal', () => {
    const [first, second] = [identify({ list_folder: { accounts } }), identify({ list_folder: { accounts } })]

    expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(4)
  })

  test('is the whole notice where it names no accounts', () => {
    expect(identify({ list_folder: { teams: { 'dbtid:1': ['dbmid:1'] } } })).toMatchObject([{ type: 'list_folder' }])
    expect(identify([])).toMatchObject({ kind: 'malformed' })
  })
})

describe('an event of Asana', () => {
  const changed = {
    user: { gid: '1123' },
    created_at: '2026-11-15T18:39:55.123Z',
    action: 'changed',
    resource: { gid: '1337', resource_type: 'task' },
    parent: null,
    change: { field: 'followers', action: 'added', added_value: { gid: '1' } },
  }
  const identify = (...events: readonly unknown[]) => asana({ secret }).identify({ body: JSON.stringify({ events }) })

  test('is one element of the list, whatever else the list holds', () => {
    const comment = { ...changed, action: 'added', resource: { gid: '1338', resource_type: 'story' }, user: null }

    const both = identify(comment, changed)

    expect(both).toMatchObject([
      { type: 'story.added', objectId: '1338', part: '/events/0' },
      {
        type: 'task.changed',
        objectId: '1337',
        part: '/events/1',
        occurredAt: new Date('2026-11-15T18:39:55.123Z'),
      },
    ])
    expect(idsOf(identify(changed))).toEqual([idsOf(both)[1]])
  })

  test.each([
    ['another resource', { resource: { gid: '1338', resource_type: 'task' } }],
    ['another action', { action: 'removed' }],
    ['another moment', { created_at: '2026-11-15T18:39:55.124Z' }],
    ['another user', { user: { gid: '1124' } }],
    ['another parent', { parent: { gid: '9' } }],
    ['another value of one field', { change: { ...changed.change, added_value: { gid: '2' } } }],
  ])('is another one with %s', (_what, difference) => {
    expect(idsOf(identify({ ...changed, ...difference }))).not.toEqual(idsOf(identify(changed)))
  })

  test('is malformed without a resource, an action or a moment', () => {
    for (const name of ['resource', 'action', 'created_at'] as const) {
      expect(identify({ ...changed, [name]: undefined })).toMatchObject({ kind: 'malformed' })
    }
  })
})

describe('an event of Trello', () => {
  const action = { id: '51f9424bcd6e040f3c002412', type: 'updateCard', date: '2026-11-15T12:00:00.000Z' }
  const identify = (payload: unknown) => trello({ secret }).identify({ body: JSON.stringify(payload) })

  test('is an action as one webhook sees it, as webhooks share the id of the action', () => {
    expect(identify({ action, model: { id: 'board' }, webhook: { id: 'hook' } })).toEqual([
      {
        id: 'hook:51f9424bcd6e040f3c002412',
        type: 'updateCard',
        objectId: 'board',
        occurredAt: new Date('2026-11-15T12:00:00.000Z'),
      },
    ])
  })

  test('is told apart by the model where no webhook is named', () => {
    expect(identify({ action, model: { id: 'board' } })).toMatchObject([{ id: 'board:51f9424bcd6e040f3c002412' }])
    expect(identify({ action })).toMatchObject({ kind: 'malformed' })
  })

  test('is forged at any other address, and right behind a proxy that is known', () => {
    const registered = 'https://hooks.example.com/trello?board=4d5e'
    const at = new Date()
    const delivery = trello({ secret }).sign({ url: registered }, at)
    const behindProxy = { ...delivery, url: 'http://10.0.0.7:8080/trello?board=4d5e' }

    expect(trello({ secret }).verify(behindProxy, at)).toMatchObject({ reason: 'signature_mismatch' })
    expect(trello({ secret, publicUrl: registered }).verify(behindProxy, at).kind).toBe('authentic')
  })

  test('keeps an id that is given to it', () => {
    const source = trello({ secret })

    expect(idsOf(source.identify(source.sign({ id: 'hook:action' }, new Date())))).toEqual(['hook:action'])
  })
})

describe('an event of Airtable', () => {
  const ping = '{"base":{"id":"app1"},"webhook":{"id":"ach1"},"timestamp":"2026-11-15T12:00:00.000Z"}'

  test('is each ping, as one may stand for any number of changes', () => {
    const [first, second] = [airtable({ secret }), airtable({ secret })].map((source) =>
      source.identify({ body: ping }),
    )

    expect(first).toMatchObject([{ type: 'ping', objectId: 'app1', occurredAt: new Date('2026-11-15T12:00:00.000Z') }])
    expect(first).not.toEqual(second)
  })

  test('is malformed when it names no webhook', () => {
    expect(airtable({ secret }).identify({ body: '{}' })).toMatchObject({ kind: 'malformed' })
  })

  test('cannot be verified with a secret that is not base64', () => {
    expect(() => airtable({ secret: 'not base64!' })).toThrow(/"secret" is not base64/)
  })
})

describe('an event of Figma', () => {
  const event = {
    event_type: 'LIBRARY_PUBLISH',
    passcode: secret,
    timestamp: '2026-11-15T18:39:55Z',
    webhook_id: '22',
    retries: 0,
    file_key: 'zH24',
    created_components: [{ key: 'a', name: 'Button' }],
    triggered_by: { id: '81', img_url: 'https://example.com/a.png?expires=1' },
  }
  const identify = (payload: unknown) => figma({ secret }).identify({ body: JSON.stringify(payload) })

  test('is the same one when it is tried again', () => {
    const again = { ...event, retries: 2, triggered_by: { id: '81', img_url: 'https://example.com/a.png?expires=2' } }

    expect(idsOf(identify(again))).toEqual(idsOf(identify(event)))
  })

  test('is another one if it says something else in the same second', () => {
    const styles = { ...event, created_components: undefined, created_styles: [{ key: 'b', name: 'Blue' }] }

    expect(idsOf(identify(styles))).not.toEqual(idsOf(identify(event)))
  })

  test('is signed in place, and sent again byte for byte', () => {
    const source = figma({ secret })
    const first = source.sign({ payload: event }, new Date())

    const again = source.sign({ body: first.body }, new Date())

    expect(Buffer.from(again.body).equals(first.body)).toBe(true)
  })

  test.each(['{"passcode":1}', '{"passcode":null}', '[]', 'no JSON', ''])('has no passcode in %j', (body) => {
    expect(figma({ secret }).verify({ body }, new Date())).toEqual({ kind: 'forged', reason: 'token_missing' })
  })

  test('is never answered 400, which would end the webhook', () => {
    const source = figma({ secret })

    expect(statusOfRefusal(source, { kind: 'forged', reason: 'token_mismatch' })).toBe(503)
    expect(statusOfRefusal(source, { kind: 'malformed', detail: '' })).toBe(503)
  })
})

describe('an event of Freshdesk', () => {
  const source = freshdesk({ secret })
  const identify = (ticket: unknown) => source.identify({ body: JSON.stringify({ freshdesk_webhook: ticket }) })

  test.each([
    ['{ticket_action:created}', 'ticket_action.created'],
    ['{status:{from:4,to:6}}', 'status'],
    ['something else', 'ticket'],
    [undefined, 'ticket'],
  ])('that was triggered by %s has the type %s', (triggered, type) => {
    expect(identify({ triggered_event: triggered, ticket_id: '11' })).toMatchObject([{ type, objectId: '11' }])
  })

  test('may come as a form', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }

    expect(source.identify({ headers, body: 'ticket_id=11' })).toMatchObject([{ type: 'ticket', objectId: '11' }])
  })

  test('can be told apart by fields that the user put into the rule', () => {
    const own = freshdesk({ secret, identity: ({ document }) => (document as { id: string }).id })

    expect(own.identify({ body: '{"id":"11-2026"}' })).toMatchObject([{ id: '11-2026', type: 'ticket' }])
  })
})

describe('the answer', () => {
  test('to Dropbox, Asana, Trello, Airtable and Figma is exactly 200', () => {
    for (const source of [dropbox, asana, trello, airtable, figma].map((create) => create({ secret }))) {
      expect(
        answerOf(
          { kind: 'accepted', receiptId: 'r', eventId: 'e' },
          { taken: (situation) => source.answer({}, situation) },
        ),
      ).toEqual({ status: 200 })
    }
  })
})
