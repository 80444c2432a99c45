import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect } from 'vitest'
import { test } from '../cli/command-line.ts'

const token = 'admin-token-0123456789abcdef'

type Started = { readonly url: string; readonly dashboard?: string }

test('the admin surface is on a port of its own, without webhooks, and in no process that only receives unless asked for', async ({
  commandLine,
  database,
  program,
}) => {
  const modules = join(commandLine.directory, 'node_modules')
  mkdirSync(modules)
  symlinkSync(resolve(dirname(program), '../..'), join(modules, 'oncehook'), 'junction')
  const configure = (file: string, admin: string): void =>
    writeFileSync(
      join(commandLine.directory, file),
      `import { defineConfig } from 'oncehook/config'
       import { stripe } from 'oncehook/providers/stripe'
       const provider = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' })
       export default defineConfig({ ${admin} sources: { stripe: { provider, on: { '*': () => {} } } } })`,
    )
  configure('apart.mjs', `admin: { port: 0, tokens: [{ name: 'ada', role: 'admin', token: '${token}' }] },`)
  configure('plain.mjs', '')
  configure('off.mjs', 'admin: false,')
  const start = async (file: string, ...words: readonly string[]): Promise<Started> => {
    const place = ['--database', database.url, '--schema', database.schema, '--port', '0', '--json']
    const text = await commandLine.start(['start', ...place, '--config', file, ...words]).until(/"kind":"started".*\n/)
    return JSON.parse(text.split('\n').find((line) => line.includes('"started"')) ?? '{}') as Started
  }
  const statusOf = async (url: string, method = 'GET'): Promise<number> =>
    (await fetch(url, { method, headers: { authorization: `Bearer ${token}` } })).status

  const [apart, receiver, off] = await Promise.all([
    start('apart.mjs', '--receiver'),
    start('plain.mjs', '--receiver'),
    start('off.mjs'),
  ])

  expect(apart.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(apart.dashboard).not.toBe(apart.url)
  expect(await statusOf(`${apart.dashboard}/api/v1/overview`)).toBe(200)
  expect((await fetch(`${apart.dashboard}/api/v1/overview`)).status).toBe(401)
  expect(await statusOf(`${apart.dashboard}/in/stripe`, 'POST')).toBe(404)
  expect(await statusOf(`${apart.dashboard}/capture/box`, 'POST')).toBe(404)
  expect(await statusOf(`${apart.url}/api/v1/overview`)).toBe(404)
  expect(await statusOf(`${apart.url}/in/stripe`, 'POST')).toBe(401)
  for (const { url, dashboard } of [receiver, off]) {
    expect(dashboard).toBeUndefined()
    expect(await statusOf(`${url}/api/v1/overview`)).toBe(404)
    expect(await statusOf(`${url}/`)).toBe(404)
    expect(await statusOf(`${url}/in/stripe`, 'POST')).toBe(401)
    expect(await statusOf(`${url}/healthz`)).toBe(200)
  }
})
