import { describe, expect, test } from 'vitest'
import { asana, type UnverifiedHookSecret } from '../../src/providers/asana.ts'
import { auth0LogStreams } from '../../src/providers/auth0-log-streams.ts'
import { azureEventGrid } from '../../src/providers/azure-event-grid.ts'
import { cloudeventsHttp } from '../../src/providers/cloudevents-http.ts'
import { dropbox } from '../../src/providers/dropbox.ts'
import { figma } from '../../src/providers/figma.ts'
import { oktaEventHooks } from '../../src/providers/okta-event-hooks.ts'
import { trello } from '../../src/providers/trello.ts'

const secret = 'a-secret-that-is-long-enough'

describe('the handshake of Dropbox', () => {
  const ask = (query: string) =>
    dropbox({ secret }).handshake({ method: 'GET', url: `https://a.example/in${query}` }, 'before_verification')

  test('gives the challenge back as a text that no browser takes for a page', () => {
    expect(ask('?challenge=a1b2C3%2Bd4')).toEqual({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
      body: 'a1b2C3+d4',
    })
  })

  test.each(['', '?challenge=1&challenge=2', '?other=1'])('is refused for %j', (query) => {
    expect(ask(query)).toMatchObject({ kind: 'malformed' })
  })

  test('does not get in the way of a delivery', () => {
    const delivery = {
      method: 'POST',
      url: 'https://a.example/in?challenge=1',
      body: '{"list_folder":{"accounts":["a"]}}',
    }

    expect(dropbox({ secret }).handshake(delivery, 'before_verification')).toBeUndefined()
    expect(dropbox({ secret }).handshake(delivery, 'after_verification')).toBeUndefined()
  })
})

describe('the handshake of Asana', () => {
  const hookSecret = 'b537207f20cbfa02357cf448134da559'
  const greeting = { method: 'POST', headers: { 'x-hook-secret': hookSecret }, body: '{}' }
  const echoed = { status: 200, headers: { 'x-hook-secret': hookSecret } }

  test('gives nothing back to a stranger', async () => {
    expect(await asana({ secret }).handshake(greeting, 'before_verification')).toMatchObject({ kind: 'malformed' })
  })

  test('gives back a secret that is configured already, also one of several or one that is looked up', async () => {
    for (const known of [hookSecret, [secret, hookSecret], () => Promise.resolve(hookSecret)]) {
      expect(await asana({ secret: known }).handshake(greeting, 'before_verification')).toEqual(echoed)
    }
  })

  test('gives back a new secret once the user has taken it, who is told that it is unverified', async () => {
    const told: UnverifiedHookSecret[] = []
    const onHookSecret = async (unverified: UnverifiedHookSecret) => told.push(unverified) === 1

    const source = asana({ secret: () => undefined, onHookSecret })

    expect(await source.handshake(greeting, 'before_verification')).toEqual(echoed)
    expect(told).toMatchObject([{ secret: hookSecret, delivery: { method: 'POST' } }])
    expect(await source.handshake(greeting, 'before_verification')).toMatchObject({ kind: 'malformed' })
  })

  test('fails when the user fails', async () => {
    const onHookSecret = () => Promise.reject(new Error('The database is away.'))

    expect(await asana({ secret, onHookSecret }).handshake(greeting, 'before_verification')).toMatchObject({
      kind: 'malformed',
    })
  })

  test('cannot be smuggled into a delivery, nor sent twice', () => {
    const source = asana({ secret, onHookSecret: () => true })
    const signed = { ...greeting, headers: { ...greeting.headers, 'x-hook-signature': '00' } }
    const twice = { ...greeting, headers: { 'x-hook-secret': [hookSecret, 'another'] } }

    expect(source.handshake(signed, 'before_verification')).toBeUndefined()
    expect(source.handshake(twice, 'before_verification')).toBeUndefined()
  })

  test('needs a function to take secrets', () => {
    expect(() => asana({ secret, onHookSecret: true as never })).toThrow(/"onHookSecret" must be a function/)
  })
})

describe('the handshake of Trello', () => {
  test('is a HEAD, and no delivery is', () => {
    expect(trello({ secret }).handshake({ method: 'HEAD' }, 'before_verification')).toEqual({ status: 200 })
    expect(trello({ secret }).handshake({ method: 'POST' }, 'before_verification')).toBeUndefined()
  })
})

describe('the handshake of Figma', () => {
  test('is a PING with the right passcode', () => {
    const ping = { body: JSON.stringify({ event_type: 'PING', passcode: secret, webhook_id: '22' }) }

    expect(figma({ secret }).verify(ping, new Date()).kind).toBe('authentic')
    expect(figma({ secret }).handshake(ping, 'before_verification')).toBeUndefined()
    expect(figma({ secret }).handshake(ping, 'after_verification')).toEqual({ status: 200 })
  })
})

describe('the handshake of Okta', () => {
  const ask = (headers: Record<string, string | string[]>) =>
    oktaEventHooks({ secret }).handshake({ method: 'GET', headers }, 'before_verification')

  test('gives the challenge back as JSON', () => {
    expect(ask({ 'x-okta-verification-challenge': 'my verification challenge 7f3a' })).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"verification":"my verification challenge 7f3a"}',
    })
  })

  test('is refused without a challenge, or with two', () => {
    expect(ask({})).toMatchObject({ kind: 'malformed' })
    expect(ask({ 'x-okta-verification-challenge': ['a', 'b'] })).toMatchObject({ kind: 'malformed' })
  })
})

describe('the handshake of Azure Event Grid', () => {
  const source = azureEventGrid({ secret })
  const validation = (data: unknown) => ({
    method: 'POST',
    url: `https://a.example/in?token=${secret}`,
    headers: { 'aeg-event-type': 'SubscriptionValidation' },
    body: JSON.stringify([{ id: '1', eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent', data }]),
  })

  test('gives the code back, but only to who knows the token', () => {
    const delivery = validation({
      validationCode: '512d38b6',
      validationUrl: 'https://rp.eventgrid.azure.net/validate',
    })

    expect(source.verify(delivery, new Date()).kind).toBe('authentic')
    expect(source.handshake(delivery, 'before_verification')).toBeUndefined()
    expect(source.handshake(delivery, 'after_verification')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"validationResponse":"512d38b6"}',
    })
  })

  test('is refused without a code', () => {
    expect(source.handshake(validation({}), 'after_verification')).toMatchObject({ kind: 'malformed' })
  })

  test('is consent for CloudEvents, again for who knows the token', () => {
    const delivery = { method: 'OPTIONS', headers: { 'webhook-request-origin': 'eventgrid.azure.net' } }

    expect(source.verify(delivery, new Date())).toEqual({ kind: 'forged', reason: 'token_missing' })
    expect(source.handshake(delivery, 'before_verification')).toBeUndefined()
    expect(source.handshake(delivery, 'after_verification')).toMatchObject({
      status: 200,
      headers: { 'webhook-allowed-origin': 'eventgrid.azure.net' },
    })
  })

  test('does not get in the way of an event', () => {
    const delivery = source.sign({}, new Date())

    expect(source.handshake(delivery, 'after_verification')).toBeUndefined()
  })
})

describe('the handshake of CloudEvents', () => {
  const ask = (headers: Record<string, string>, origins?: readonly string[]) =>
    cloudeventsHttp({ secret, origins }).handshake({ method: 'OPTIONS', headers }, 'before_verification')

  test('agrees to deliveries from whoever asks', () => {
    expect(ask({ 'webhook-request-origin': 'eventemitter.example.com', 'webhook-request-rate': '120' })).toEqual({
      status: 200,
      headers: {
        allow: 'POST',
        'webhook-allowed-origin': 'eventemitter.example.com',
        'webhook-allowed-rate': '*',
      },
    })
  })

  test('agrees to no other than those that are configured', () => {
    const origins = ['eventemitter.example.com']

    expect(ask({ 'webhook-request-origin': 'eventemitter.example.com' }, origins)).toMatchObject({ status: 200 })
    expect(ask({ 'webhook-request-origin': 'evil.example.com' }, origins)).toMatchObject({ kind: 'malformed' })
    expect(() => cloudeventsHttp({ secret, origins: [] })).toThrow(/"origins" is empty/)
  })

  test.each(['', 'a b', 'a\nb', 'x'.repeat(256)])('agrees to nothing for the origin %j', (origin) => {
    expect(ask({ 'webhook-request-origin': origin })).toMatchObject({ kind: 'malformed' })
  })
})

describe('a batch without events', () => {
  test.each([
    ['Dropbox', dropbox({ secret }), '{"list_folder":{"accounts":[]}}'],
    ['Asana', asana({ secret }), '{"events":[]}'],
    ['Okta', oktaEventHooks({ secret }), '{"data":{"events":[]}}'],
    ['Azure Event Grid', azureEventGrid({ secret }), '[]'],
    ['Auth0', auth0LogStreams({ secret }), '[]'],
  ])('of %s is a sign of life', (_name, source, body) => {
    expect(source.handshake({ body }, 'before_verification')).toBeUndefined()
    expect(source.handshake({ body }, 'after_verification')).toEqual({ status: 200 })
  })
})
