import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { describe, expect } from 'vitest'
import { createAdmin } from '../../src/admin/create-admin.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { test as base, tokens } from './open-admin.ts'

const test = base.extend<{ readonly serve: (listener: RequestListener) => Promise<string> }>({
  serve: async ({}, use) => {
    const closers: (() => void)[] = []
    await use(async (listener) => {
      const server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closers.push(() => {
        server.close()
        server.closeAllConnections()
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    })
    for (const close of closers) close()
  },
})

const asAdmin = { authorization: `Bearer ${tokens.admin}` }
const withTokens = { tokens: [{ name: 'somebody', role: 'admin', token: tokens.admin }] } as const

describe('an admin surface in an app of Express', () => {
  test('is at home below the path that it is mounted under', async ({ makeInbox, serve }) => {
    const inbox = makeInbox()
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    const admin = createAdmin({ inbox, ...withTokens })
    const app = express()
    app.use('/ops/webhooks', admin.nodeHandler)
    app.use((_, response) => void response.status(418).end())
    const url = await serve(app)
    const get = (path: string): Promise<Response> => fetch(`${url}${path}`, { headers: asAdmin, redirect: 'manual' })

    const list = await get('/ops/webhooks/api/v1/receipts?source=stripe')
    expect(await list.json()).toMatchObject({ items: [{ eventId: 'evt_1' }] })
    expect((await get('/ops/webhooks')).headers.get('location')).toBe('/ops/webhooks/')
    expect((await get('/ops/webhooks/nothing.js')).status).toBeOneOf([404, 503])
    expect((await get('/api/v1/receipts')).status).toBe(418)
    const login = await fetch(`${url}/ops/webhooks/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: tokens.admin }),
    })
    expect(login.status).toBe(201)
    expect(login.headers.get('set-cookie')).toContain('; Path=/ops/webhooks;')
    admin.close()
  })

  test('takes what a parser before it has made of the body, or kept of it, and refuses what it threw away', async ({
    makeInbox,
    serve,
  }) => {
    const inbox = makeInbox()
    for (const id of ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5']) await inbox.receive('stripe', stripeDelivery(id))
    const ids = (await inbox.receipts.find()).map(({ id }) => id)
    const admin = createAdmin({ inbox, ...withTokens })
    const app = express()
    app.use('/json', express.json(), admin.nodeHandler)
    app.use('/raw', express.raw({ type: '*/*' }), admin.nodeHandler)
    app.use('/text', express.text({ type: '*/*' }), admin.nodeHandler)
    app.use('/plain', admin.nodeHandler)
    app.use('/lost', (request, _, next) => void request.resume().once('end', next), admin.nodeHandler)
    const url = await serve(app)
    // Longer than what a parser's object is written as.
    const bodyOf = (id: string | undefined): string => JSON.stringify({ ids: [id], why: 'to see' }, undefined, 8)
    const hold = (path: string, body: string | Uint8Array<ArrayBuffer>, headers = {}): Promise<Response> =>
      fetch(`${url}${path}/api/v1/receipts/hold`, {
        method: 'POST',
        headers: { ...asAdmin, 'content-type': 'application/json', ...headers },
        body,
      })

    for (const [index, path] of ['/json', '/raw', '/text', '/plain'].entries()) {
      const answer = await hold(path, bodyOf(ids[index]))
      expect([path, answer.status, await answer.json()]).toEqual([path, 200, { ids: [ids[index]] }])
    }
    const packed = new Uint8Array(gzipSync(bodyOf(ids[4])))
    expect((await hold('/json', packed, { 'content-encoding': 'gzip' })).status).toBe(200)
    const lost = await hold('/lost', bodyOf(ids[0]))
    expect(lost.status).toBe(400)
    expect(await lost.json()).toMatchObject({ error: { code: 'bad_request' } })
    expect((await inbox.receipts.find({ isHeld: true })).map(({ id }) => id)).toEqual(ids)
    expect((await inbox.admin.log.find()).map(({ outcome }) => outcome)).toEqual(Array(5).fill('done'))
    admin.close()
  })
})

describe('an admin surface as a function of requests', () => {
  test('answers below its base path, and to nobody without an address', async ({ makeInbox }) => {
    const inbox = makeInbox()
    const admin = createAdmin({ inbox, ...withTokens, basePath: '/admin/' })
    const open = createAdmin({ inbox, isOpenOnLoopback: true })
    const at = (path: string, headers: Record<string, string> = asAdmin): Request =>
      new Request(`http://localhost${path}`, { headers })

    expect((await admin.handler(at('/admin/api/v1/overview'))).status).toBe(200)
    expect((await admin.handler(at('/admin/api/v1/overview', {}))).status).toBe(401)
    expect((await admin.handler(at('/api/v1/overview'))).status).toBe(404)
    expect((await admin.handler(at('/administration/api/v1/overview'))).status).toBe(404)
    // Whoever does not say where a request came from lets nobody in who has no token.
    expect((await open.handler(at('/api/v1/overview', {}))).status).toBe(403)
    expect((await open.handler(at('/api/v1/overview', {}), { remoteAddress: '127.0.0.1' })).status).toBe(200)
    expect((await open.handler(at('/api/v1/overview', {}), { remoteAddress: '203.0.113.9' })).status).toBe(403)
    admin.close()
    open.close()
  })
})

describe('who may do what', () => {
  test('nobody may change anything where it is read-only, and everybody may look', async ({ makeInbox, openAdmin }) => {
    const inbox = makeInbox()
    const { call } = await openAdmin(inbox, { readOnly: true })
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    const [receipt] = await inbox.receipts.find()
    const body = { ids: [receipt?.id], why: 'to see' }
    const until = new Date(Date.now() + 60_000).toISOString()

    const refused = [
      await call('POST', '/receipts/replay', { body }),
      await call('POST', '/receipts/hold', { body }),
      await call('POST', '/alert-mutes', { body: { rule: 'lag', until, why: 'to see' } }),
      await call('PUT', '/datastore/orders/1', { body: { value: 1 } }),
      await call('DELETE', '/datastore/orders/1'),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect(refused[0]?.body.error.message).toContain('read-only')
    expect((await call('GET', '/receipts')).body.items).toHaveLength(1)
    expect((await call('POST', '/receipts/preview', { body: { ids: [receipt?.id] } })).status).toBe(200)
    expect((await call('GET', '/session')).body).toMatchObject({ isReadOnly: true, role: 'admin' })
    // Logging in changes nothing that anybody else could see.
    expect((await call('POST', '/session', { token: undefined, body: { token: tokens.viewer } })).status).toBe(201)
    expect((await inbox.admin.log.find()).map(({ action }) => action)).toEqual(['session.open'])
    expect((await inbox.receipts.get(receipt?.id ?? ''))?.heldAt).toBeUndefined()
  })

  test('is what the hook says: a role, nobody, or a failure that only the log explains', async ({
    makeInbox,
    openAdmin,
  }) => {
    const errors: unknown[] = []
    const inbox = makeInbox()
    const { call } = await openAdmin(inbox, {
      tokens: undefined,
      onError: (error) => void errors.push(error),
      authorize(request) {
        const user = request.headers.get('x-user')
        if (user === 'broken') throw new Error('the directory of users at 10.0.0.9 is away')
        if (user === 'odd') return { name: 'odd', role: 'owner' as never }
        return user === null ? undefined : { name: user, role: user === 'vera' ? 'viewer' : 'operator' }
      },
    })
    const as = (user: string, more: Record<string, string> = {}) => ({
      token: undefined,
      headers: { 'x-user': user, ...more },
    })
    const body = { ids: ['1'], why: 'to see' }

    expect((await call('GET', '/overview', { token: undefined })).status).toBe(401)
    expect((await call('GET', '/session', { token: undefined })).body).toMatchObject({
      name: null,
      isLoginRequired: true,
      canLogIn: false,
    })
    expect((await call('GET', '/session', as('vera'))).body).toMatchObject({ name: 'vera', role: 'viewer' })
    expect((await call('GET', '/overview', as('vera'))).status).toBe(200)
    expect((await call('POST', '/receipts/hold', { ...as('vera'), body })).status).toBe(403)
    expect((await call('POST', '/receipts/hold', { ...as('otto'), body })).status).toBe(200)
    expect((await call('GET', '/audit', as('otto'))).status).toBe(403)
    // A page of another site can make a browser send its cookies, but no header of ours.
    const cookie = { cookie: 'app=1' }
    expect((await call('POST', '/receipts/hold', { ...as('otto', cookie), body })).status).toBe(403)
    const ours = { ...cookie, 'x-oncehook-csrf': 'page' }
    expect((await call('POST', '/receipts/hold', { ...as('otto', ours), body })).status).toBe(200)
    expect((await inbox.admin.log.find()).map(({ by, role }) => `${by} ${role}`)).toEqual(
      Array(2).fill('otto operator'),
    )

    const failures = [await call('GET', '/overview', as('broken')), await call('GET', '/overview', as('odd'))]
    expect(failures.map(({ status }) => status)).toEqual([500, 500])
    expect(JSON.stringify(failures.map((one) => one.body))).not.toMatch(/10\.0\.0\.9|owner/)
    expect(errors.map(String)).toEqual([
      expect.stringContaining('10.0.0.9'),
      expect.stringContaining('one of the roles viewer, operator, admin'),
    ])
  })
})
