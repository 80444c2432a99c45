import { describe, expect, test } from 'vitest'
import type { DeliveryInput } from '../../src/delivery/delivery.ts'
import { buildkite } from '../../src/providers/buildkite.ts'
import { dockerHub } from '../../src/providers/docker-hub.ts'
import { gitlab } from '../../src/providers/gitlab.ts'
import { heroku } from '../../src/providers/heroku.ts'
import { linear } from '../../src/providers/linear.ts'
import { npmHooks } from '../../src/providers/npm-hooks.ts'
import { pagerduty } from '../../src/providers/pagerduty.ts'
import { sanity } from '../../src/providers/sanity.ts'
import { sentry } from '../../src/providers/sentry.ts'
import { supabaseAuthHooks } from '../../src/providers/supabase-auth-hooks.ts'
import type { IdentifiedEvent, Provider } from '../../src/verify/provider.ts'

const secret = 'a-secret-that-is-long-enough'
const signingToken = 'whsec_b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE='

/** The only event of a delivery. */
function eventOf(source: Provider, headers: DeliveryInput['headers'], document: unknown): IdentifiedEvent {
  const events = source.identify({ headers: headers ?? {}, body: JSON.stringify(document) })
  expect(events).toHaveLength(1)
  return (events as readonly IdentifiedEvent[])[0] as IdentifiedEvent
}

describe('an event of GitLab', () => {
  const headers = {
    'x-gitlab-event': 'Merge Request Hook',
    'x-gitlab-event-uuid': 'shared',
    'x-gitlab-webhook-uuid': 'attempt',
    'idempotency-key': 'key',
  }

  test('is known by the key that a repetition keeps, not by the UUID of the attempt', () => {
    const document = { object_attributes: { id: 93, updated_at: '2026-11-15 12:00:00 UTC' } }

    expect(eventOf(gitlab({ secret }), headers, document)).toEqual({
      id: 'key',
      type: 'Merge Request Hook',
      deliveryId: 'attempt',
      objectId: '93',
      occurredAt: new Date('2026-11-15T12:00:00.000Z'),
    })
  })

  test('is known by the signed id where it is signed', () => {
    const both = { ...headers, 'webhook-id': 'signed', 'idempotency-key': 'not signed' }

    expect(eventOf(gitlab({ secret: signingToken }), both, {}).id).toBe('signed')
  })

  test('is malformed without a key, as before GitLab 17.4', () => {
    const { 'idempotency-key': _key, ...older } = headers

    expect(gitlab({ secret }).identify({ headers: older, body: '{}' })).toMatchObject({ kind: 'malformed' })
  })
})

describe('an event of Linear', () => {
  const payload = { type: 'Issue', action: 'update', createdAt: '2026-11-15T12:00:00.000Z', data: { id: 'i1' } }
  const idOf = (changes: object, delivery = 'd1') =>
    eventOf(linear({ secret }), { 'linear-delivery': delivery }, { ...payload, webhookTimestamp: 1, ...changes }).id

  test('stays the same when it is sent again, with another time and another delivery id', () => {
    expect(idOf({ webhookTimestamp: 2 }, 'd2')).toBe(idOf({}))
  })

  test('is another one when anything else differs', () => {
    const others = [{ createdAt: '2026-11-15T12:00:00.001Z' }, { data: { id: 'i2' } }, { updatedFrom: { title: 'a' } }]

    expect(new Set([{}, ...others].map((changes) => idOf(changes))).size).toBe(4)
  })

  test('has its type and action as its type', () => {
    expect(eventOf(linear({ secret }), {}, payload)).toMatchObject({ type: 'Issue.update', objectId: 'i1' })
  })
})

describe('an event of Sentry', () => {
  const idOf = (action: string, data: object, attempt = 'r1') => {
    const headers = { 'sentry-hook-resource': 'any', 'request-id': attempt }
    return eventOf(sentry({ secret }), headers, { action, installation: { uuid: 'u' }, data }).id
  }

  test('stays the same over attempts, each of which has a request id of its own', () => {
    const error = { error: { event_id: 'e1' } }

    expect(idOf('created', error, 'r2')).toBe(idOf('created', error))
    expect(idOf('created', { error: { event_id: 'e2' } })).not.toBe(idOf('created', error))
  })

  test('is one event when an issue is new, however often it was seen until the next attempt', () => {
    expect(idOf('created', { issue: { id: '1', count: '2' } })).toBe(
      idOf('created', { issue: { id: '1', count: '1' } }),
    )
  })

  test('is new each time an issue is resolved, as nothing tells two of these apart', () => {
    expect(idOf('resolved', { issue: { id: '1' } })).not.toBe(idOf('resolved', { issue: { id: '1' } }))
  })
})

describe('an event of PagerDuty', () => {
  test('is known by the signed id, whatever the header says', () => {
    const document = { event: { id: 'e1', event_type: 'incident.triggered', data: { id: 'P1' } } }

    expect(eventOf(pagerduty({ secret }), { 'x-webhook-id': 'w1' }, document)).toEqual({
      id: 'e1',
      type: 'incident.triggered',
      deliveryId: 'w1',
      objectId: 'P1',
    })
  })
})

describe('an event of Buildkite', () => {
  const idOf = (event: string, subject: object) =>
    eventOf(buildkite({ secret }), {}, { event, [event.split('.')[0] ?? '']: subject }).id

  test('is one event when a build finishes, and another when it finishes again', () => {
    const first = { id: 'b', finished_at: '2026-11-15T12:00:00Z' }

    expect(idOf('build.finished', { ...first, state: 'passed' })).toBe(idOf('build.finished', first))
    expect(idOf('build.finished', { ...first, finished_at: '2026-11-15T12:05:00Z' })).not.toBe(
      idOf('build.finished', first),
    )
  })

  test('is new each time a build runs, as it runs again after a block step and looks the same', () => {
    expect(idOf('build.running', { id: 'b', started_at: 's' })).not.toBe(
      idOf('build.running', { id: 'b', started_at: 's' }),
    )
  })

  test('is new when the payload shows a build that is running again already', () => {
    expect(idOf('build.finished', { id: 'b', finished_at: null })).toMatch(/^arrival:/)
  })

  test('is about its job, although the build is there too', () => {
    const document = { event: 'job.started', job: { id: 'j', started_at: 's' }, build: { id: 'b' } }

    expect(eventOf(buildkite({ secret }), {}, document)).toMatchObject({ id: 'job.started:j:s', objectId: 'j' })
  })
})

describe('an event of Heroku', () => {
  test('is known by the event, not by the attempt, the delivery or the webhook', () => {
    const ids = { attempt: { id: 'a' }, delivery: { id: 'd' }, event: { id: 'e', include: 'api:release' } }

    expect(eventOf(heroku({ secret }), {}, { action: 'create', webhook_metadata: ids })).toMatchObject({
      id: 'e',
      type: 'api:release.create',
      deliveryId: 'd',
    })
  })
})

describe('an event without an id', () => {
  test('of npm is known by what happened to which package, and when', () => {
    const published = { event: 'package:publish', name: '@acme/web', time: 1794744000000, change: { version: '1.0.0' } }
    const idOf = (changes: object) => eventOf(npmHooks({ secret }), {}, { ...published, ...changes }).id

    expect(idOf({ hookOwner: { username: 'zoe' } })).toBe(idOf({}))
    expect(idOf({ change: { version: '1.0.1' } })).not.toBe(idOf({}))
    expect(idOf({ time: 1794744000001 })).not.toBe(idOf({}))
  })

  test('of Docker Hub is known by repository, tag and time', () => {
    const pushed = (tag: string, at: number) => ({
      repository: { repo_name: 'acme/web' },
      push_data: { tag, pushed_at: at },
    })

    expect(eventOf(dockerHub({ secret }), {}, pushed('latest', 1794744000))).toEqual({
      id: 'acme/web:latest:1794744000',
      type: 'push',
      objectId: 'acme/web',
      occurredAt: new Date('2026-11-15T12:00:00.000Z'),
    })
  })

  test('is malformed when a part of it is missing', () => {
    expect(npmHooks({ secret }).identify({ body: '{"event":"package:publish"}' })).toMatchObject({ kind: 'malformed' })
    expect(dockerHub({ secret }).identify({ body: '{"push_data":{"tag":"a"}}' })).toMatchObject({ kind: 'malformed' })
  })
})

describe('a change in Sanity', () => {
  test('is typed by its operation, whatever the projection left over', () => {
    const headers = { 'idempotency-key': 'k', 'sanity-operation': 'delete', 'sanity-document-id': 'doc' }

    expect(eventOf(sanity({ secret }), headers, 'gone')).toEqual({ id: 'k', type: 'delete', objectId: 'doc' })
    expect(eventOf(sanity({ secret }), { 'idempotency-key': 'k' }, { _id: 'own' })).toMatchObject({
      type: 'change',
      objectId: 'own',
    })
  })
})

describe('a call of Supabase Auth', () => {
  const source = supabaseAuthHooks({ secret: `v1,${signingToken}` })
  const mail = { user: { id: 'u' }, email_data: { token_hash: 'h1', email_action_type: 'signup' } }
  const call = (document: object, attempt = 'a1') => eventOf(source, { 'webhook-id': attempt }, document)

  test('that sends a mail stays the same over attempts, each of which has an id of its own', () => {
    const named = { ...mail, metadata: { uuid: 'm1', name: 'send-email' } }

    expect(call(named, 'a2')).toMatchObject({ id: 'send-email:m1', deliveryId: 'a2', objectId: 'u' })
    expect(call({ ...named, metadata: { uuid: 'm2', name: 'send-email' } }).id).not.toBe(call(named).id)
  })

  test('that sends a mail is known by its body where an older version names nothing', () => {
    expect(call(mail, 'a2').id).toBe(call(mail).id)
    expect(call(mail).type).toBe('send-email')
    expect(call({ ...mail, email_data: { ...mail.email_data, token_hash: 'h2' } }).id).not.toBe(call(mail).id)
  })

  test.each([
    ['customize-access-token', { user_id: 'u', claims: {} }],
    ['mfa-verification', { user_id: 'u', factor_id: 'f', valid: true }],
    ['password-verification', { user_id: 'u', valid: false }],
    ['before-user-created', { metadata: { uuid: 'm', name: 'before-user-created' }, user: {} }],
  ])('that asks for a decision (%s) is new each time, so that the handler decides each time', (hook, document) => {
    expect(call(document).type).toBe(hook)
    expect(call(document).id).not.toBe(call(document).id)
  })
})
