import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Admin, type AdminOptions, createAdmin } from '../../src/admin/create-admin.ts'
import { test as base, type TestInbox } from '../support/inbox.ts'

/** Tokens of each role, as a test calls with them. */
export const tokens = {
  viewer: 'viewer-token-0123456789abcdef',
  operator: 'operator-token-0123456789abcdef',
  admin: 'admin-token-0123456789abcdef',
} as const

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly body: ReturnType<typeof JSON.parse>
}

export type OpenAdmin = {
  readonly admin: Admin
  readonly inbox: TestInbox
  readonly url: string
  /** Calls `/api/v1` and this path over HTTP, as an admin unless told otherwise. */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
}

export type CallOptions = {
  readonly body?: unknown
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** An admin surface on a real server, with a token for each role. */
export const test = base.extend<{
  readonly openAdmin: (inbox: TestInbox, options?: Partial<Omit<AdminOptions, 'inbox'>>) => Promise<OpenAdmin>
}>({
  openAdmin: async ({}, use) => {
    const closers: (() => void)[] = []
    await use(async (inbox, options = {}) => {
      const admin = createAdmin({
        inbox,
        tokens: (['viewer', 'operator', 'admin'] as const).map((role) => ({
          name: `the ${role}`,
          role,
          token: tokens[role],
        })),
        ...options,
      })
      const server = createServer(admin.nodeHandler)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closers.push(() => {
        admin.close()
        server.close()
        server.closeAllConnections()
      })
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return { admin, inbox, url, call: caller(url) }
    })
    for (const close of closers) close()
  },
})

function caller(url: string): OpenAdmin['call'] {
  return async (method, path, { body, headers = {}, ...options } = {}) => {
    const token = 'token' in options ? options.token : tokens.admin
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    }
  }
}
