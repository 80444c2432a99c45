import { request as httpRequest } from 'node:http'
import { describe, expect } from 'vitest'
import { allRoutes } from '../../src/admin/all-routes.ts'
import { createAdmin } from '../../src/admin/create-admin.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { type Answer, type OpenAdmin, test, tokens } from './open-admin.ts'

type Operation = { readonly operationId: string; readonly 'x-role': string; readonly requestBody?: unknown }
type Call = { readonly method: string; readonly path: string; readonly operation: Operation }

/** Every call that the OpenAPI document names, so that a new one cannot be forgotten. */
async function callsOf({ call }: OpenAdmin): Promise<readonly Call[]> {
  const { paths } = (await call('GET', '/openapi.json')).body as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      return { method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, '1'), operation }
    }),
  )
}

const bodyOf = ({ operation, method }: Call): { readonly body?: unknown } =>
  operation.requestBody === undefined || method === 'GET' ? {} : { body: {} }

const lowerRoles = { operator: ['viewer'], admin: ['viewer', 'operator'] } as const

describe('every call of the OpenAPI document', () => {
  test('is refused without a login, with a wrong token and with a role that is too low', async ({
    makeInbox,
    openAdmin,
  }) => {
    const surface = await openAdmin(makeInbox())
    const calls = await callsOf(surface)
    const guarded = calls.filter(({ operation }) => operation['x-role'] !== 'anyone')
    const open = calls.filter(({ operation }) => operation['x-role'] === 'anyone')
    const wrong: string[] = []
    const expectStatus = (name: string, { status }: Answer, expected: number): void => {
      if (status !== expected) wrong.push(`${name}: ${status} in place of ${expected}`)
    }

    for (const one of guarded) {
      const { method, path, operation } = one
      const name = `${method} ${path}`
      expectStatus(
        `${name} without a login`,
        await surface.call(method, path, { token: undefined, ...bodyOf(one) }),
        401,
      )
      const lower: readonly ('viewer' | 'operator')[] = lowerRoles[operation['x-role'] as keyof typeof lowerRoles] ?? []
      for (const role of lower) {
        expectStatus(
          `${name} as ${role}`,
          await surface.call(method, path, { token: tokens[role], ...bodyOf(one) }),
          403,
        )
      }
      const headers = { origin: 'https://evil.example' }
      expectStatus(`${name} from elsewhere`, await surface.call(method, path, { headers, ...bodyOf(one) }), 403)
      const site = { 'sec-fetch-site': 'cross-site' }
      expectStatus(`${name} across sites`, await surface.call(method, path, { headers: site, ...bodyOf(one) }), 403)
    }
    // Last, because after so many of them the address has to wait.
    for (const { method, path, ...rest } of guarded.slice(0, 15)) {
      const token = 'not-a-token-0123456789abcdef'
      expectStatus(
        `${method} ${path} with a wrong token`,
        await surface.call(method, path, { token, ...bodyOf({ method, path, ...rest }) }),
        401,
      )
    }

    expect(wrong).toEqual([])
    expect(guarded.length).toBeGreaterThan(25)
    expect(open.map(({ operation }) => operation.operationId).toSorted()).toEqual(['logIn', 'logOut', 'readSession'])
    expect(guarded.length + open.length).toBe(allRoutes.length)
    expect(await surface.inbox.admin.log.find()).toEqual([])
  })

  test('that changes something needs the CSRF token of its session', async ({ makeInbox, openAdmin }) => {
    const surface = await openAdmin(makeInbox())
    const login = await surface.call('POST', '/session', { token: undefined, body: { token: tokens.admin } })
    const cookie = login.headers.get('set-cookie') ?? ''
    const session = { cookie: cookie.split(';')[0] ?? '' }
    const changing = (await callsOf(surface)).filter(
      ({ method, operation }) => method !== 'GET' && operation['x-role'] !== 'anyone',
    )

    expect(login.status).toBe(201)
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
    const refused = await Promise.all(
      changing.flatMap((one) => [
        surface.call(one.method, one.path, { token: undefined, headers: session, ...bodyOf(one) }),
        surface.call(one.method, one.path, {
          token: undefined,
          headers: { ...session, 'x-oncehook-csrf': 'A'.repeat(43) },
          ...bodyOf(one),
        }),
      ]),
    )
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]))

    const headers = { ...session, 'x-oncehook-csrf': login.body.csrf as string }
    const body = { ids: ['1'], why: 'a try' }
    expect((await surface.call('POST', '/receipts/hold', { token: undefined, headers, body })).status).toBe(200)
    expect((await surface.call('GET', '/overview', { token: undefined, headers: session })).status).toBe(200)
    expect((await surface.call('DELETE', '/session', { token: undefined, headers })).status).toBe(204)
    expect((await surface.call('GET', '/overview', { token: undefined, headers: session })).status).toBe(401)
  })
})

describe('without a login', () => {
  test('this machine may do everything, and a name that was made to lead here nothing', async ({
    makeInbox,
    openAdmin,
  }) => {
    const { url } = await openAdmin(makeInbox(), { tokens: undefined, isOpenOnLoopback: true })
    const { port } = new URL(url)
    const ask = (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ host: '127.0.0.1', port, path: '/api/v1/overview', headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        request.on('error', reject)
        request.end()
      })

    expect(await ask({ host: `localhost:${port}` })).toBe(200)
    expect(await ask({ host: `127.0.0.1:${port}` })).toBe(200)
    expect(await ask({ host: `rebound.example:${port}` })).toBe(403)
    expect(await ask({ host: `localhost:${port}`, origin: 'https://evil.example' })).toBe(403)
    expect(await ask({ host: `localhost:${port}`, 'x-forwarded-for': '203.0.113.9' })).toBe(403)
  })

  test('nothing is opened by accident', ({ makeInbox }) => {
    const inbox = makeInbox()

    expect(() => createAdmin({ inbox })).toThrow(/tokens and authorize are both missing/)
    expect(() => createAdmin({ inbox, tokens: [{ name: 'me', role: 'admin', token: 'short' }] })).toThrow(
      /tokens\[0\]\.token has fewer than 24 characters/,
    )
  })
})

describe('hostile input', () => {
  test('has one clear answer, and leaves nothing behind', async ({ makeInbox, openAdmin }) => {
    const { call, inbox } = await openAdmin(makeInbox())
    const replay = (body: unknown, headers = {}): Promise<Answer> => call('POST', '/receipts/replay', { body, headers })
    const errors = async (answer: Promise<Answer>): Promise<readonly unknown[]> => {
      const { status, body } = await answer
      return [status, body.error.code]
    }

    expect(await errors(replay('{'))).toEqual([400, 'bad_request'])
    expect(await errors(replay('['.repeat(100_000)))).toEqual([400, 'bad_request'])
    expect(await errors(replay(' '.repeat(2_000_000)))).toEqual([413, 'too_large'])
    expect(await errors(replay('{}', { 'content-type': 'text/plain' }))).toEqual([415, 'unsupported_media_type'])
    expect(await errors(replay({ ids: ['1'], why: 'a\u0000b' }))).toEqual([400, 'bad_request'])
    expect(await errors(replay({ filter: {}, why: 'everything' }))).toEqual([400, 'bad_request'])
    expect(await errors(call('GET', `/receipts/${'9'.repeat(400)}`))).toEqual([400, 'bad_request'])
    expect(await errors(call('GET', '/receipts?limit=9999&nonsense=1'))).toEqual([400, 'bad_request'])
    expect(await errors(call('PUT', '/receipts', { body: {} }))).toEqual([405, 'method_not_allowed'])
    expect(await errors(call('GET', '/nothing'))).toEqual([404, 'not_found'])
    const { body } = await replay({ ids: ['x'], why: '', more: 1 })
    expect(body.error.details).toEqual([
      { path: 'more', message: expect.stringContaining('is unknown') },
      { path: 'ids[0]', message: 'is not an id: digits only' },
      { path: 'why', message: 'is empty' },
    ])
    expect((await inbox.admin.log.find()).every(({ outcome }) => outcome === 'refused')).toBe(true)
  })

  test('secrets and signatures are in no answer', async ({ makeInbox, openAdmin }) => {
    const secret = 'whsec_0123456789abcdef0123456789abcdef'
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } })
    inbox.on('stripe', '*', async () => {
      throw new Error(`cannot use ${secret}`)
    })
    const surface = await openAdmin(inbox)
    const delivery = stripeDelivery('evt_1', 'invoice.paid', { note: secret }) as {
      readonly headers: ReadonlyMap<string, readonly string[]>
    }
    await inbox.receive('stripe', delivery)
    await inbox.receive('stripe', stripeDelivery('evt_2', 'invoice.paid', undefined, `${secret}0`))
    await inbox.drain()
    const [receipt] = await inbox.receipts.find()
    const [signature = ''] = delivery.headers.get('stripe-signature') ?? []
    const planted = [
      secret,
      Buffer.from(secret).toString('base64').slice(0, 40),
      signature.split('v1=')[1] ?? '',
      tokens.admin,
      tokens.viewer,
    ]

    const reading = (await callsOf(surface)).filter(({ method, path }) => method === 'GET' && path !== '/live')
    const answers = await Promise.all(
      reading.map(({ path }) =>
        surface.call('GET', path.replace('/1', `/${receipt?.id}`).replace('/sources/1', '/sources/stripe')),
      ),
    )
    const source = await surface.call('GET', '/sources/stripe')
    const told = JSON.stringify([...answers, source].map(({ body }) => body))

    expect(told).toContain('[secret]')
    expect(planted.filter((text) => text.length > 20 && told.includes(text))).toEqual([])
  })
})
