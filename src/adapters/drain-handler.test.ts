import { describe, expect, test } from 'vitest'
import type { DrainReport } from '../inbox.ts'
import { drainHandler, type HasDrain } from './drain-handler.ts'

const secret = 'cron-secret-0123456789'
const report = { processed: 3, published: 1 } as DrainReport

function inboxWith(drain: HasDrain['drain']) {
  const errors: unknown[] = []
  const door = { settingsOf: () => undefined, onError: (error: unknown) => void errors.push(error) }
  return { inbox: { drain, door } as unknown as HasDrain, errors }
}

function call(headers: Readonly<Record<string, string>>, method = 'GET'): Request {
  return new Request('https://example.com/cron', { method, headers })
}

describe('a route that drains', () => {
  test('answers who knows a secret with the report, and passes on how much', async () => {
    const given: unknown[] = []
    const { inbox } = inboxWith(async (options) => {
      given.push(options)
      return report
    })
    const handle = drainHandler(inbox, { secret: [secret, 'another-secret-0123'], limit: 5, untilMs: 1000 })

    const answers = [
      await handle(call({ authorization: `Bearer ${secret}` })),
      await handle(call({ authorization: 'bearer another-secret-0123' }, 'POST')),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await answers[0]?.json()).toEqual(report)
    expect(answers[0]?.headers.get('cache-control')).toBe('no-store')
    expect(given).toEqual([
      { limit: 5, untilMs: 1000 },
      { limit: 5, untilMs: 1000 },
    ])
  })

  test.for([
    {},
    { authorization: '' },
    { authorization: 'Bearer ' },
    { authorization: secret },
    { authorization: `Basic ${secret}` },
    { authorization: `Bearer ${secret}x` },
    { authorization: `Bearer ${secret.slice(0, -1)}` },
    { authorization: `Bearer ${secret}, Bearer ${secret}` },
  ])('does nothing for %o', async (headers) => {
    const { inbox } = inboxWith(() => Promise.reject(new Error('It was called.')))

    const answer = await drainHandler(inbox, { secret })(call(headers))

    expect([answer.status, await answer.json()]).toEqual([401, { error: 'unauthorized' }])
  })

  test('names the methods it takes, and says nothing of what failed', async () => {
    const { inbox, errors } = inboxWith(() => Promise.reject(new Error('password of the database')))
    const handle = drainHandler(inbox, { secret })

    const wrong = await handle(call({ authorization: `Bearer ${secret}` }, 'DELETE'))
    const failed = await handle(call({ authorization: `Bearer ${secret}` }))

    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect([failed.status, await failed.text()]).toEqual([500, '{"error":"error"}'])
    expect(errors).toMatchObject([{ message: 'password of the database' }])
  })

  test.for([undefined, '', 'short', [], [secret, undefined]])('is not made with %o for a secret', (given) => {
    const { inbox } = inboxWith(async () => report)

    expect(() => drainHandler(inbox, { secret: given })).toThrow('at least 16 characters')
  })
})
