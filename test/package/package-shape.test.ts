import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compilers, type PackedPackage, packPackage, run } from './packed-package.ts'

let packed: PackedPackage

/** These teach a runner our matchers, so they need that runner. */
const needsRunner = /^oncehook\/testing\/(?:vitest|jest)$/

/** README.md says so. Most of it is source maps, 99 providers and the parser of the audit; no app loads all of that. */
const promisedMegabytes = 3.5

beforeAll(async () => {
  packed = await packPackage()
})

afterAll(async () => {
  await packed?.remove()
})

describe('the tarball', () => {
  test('holds every file that package.json points to', () => {
    const { exports, bin } = packed.manifest
    const targets = [...Object.values(exports), ...Object.values(bin)].map((target) => target.slice('./'.length))

    const missing = targets.filter((target) => !target.includes('*') && !packed.files.includes(target))

    expect(missing).toEqual([])
    expect(packed.publicPaths.filter((path) => path.startsWith('oncehook/providers/'))).not.toEqual([])
  })

  test('holds compiled files, their types and maps, what monitoring needs, and no tests', () => {
    const expected =
      /^(?:dist\/.+(?:\.js|\.js\.map|\.d\.ts)|dist\/dashboard\/.+\.(?:html|css|svg)|deploy\/.+\.(?:json|yml)|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/

    const surprising = packed.files.filter((file) => !expected.test(file) || /\.test\.|(?:^|\/)test\//.test(file))

    expect(surprising).toEqual([])
  })

  test('is no larger than promised', async () => {
    const { size } = await stat(packed.tarball)

    expect(size).toBeLessThan(promisedMegabytes * 1024 * 1024)
  })

  test('leaves publint nothing to complain of', async () => {
    const { buffer } = new Uint8Array(await readFile(packed.tarball))

    const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true, level: 'warning' })

    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })
})

/** Every way out is barred: loading this package must not touch the network. */
const barNetwork = `
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
const refuse = () => { throw new Error('the network was used') }
net.Socket.prototype.connect = refuse
net.Server.prototype.listen = refuse
dgram.createSocket = refuse
dns.lookup = refuse
`

/** Loads each path; answers with the names it gives or the error, and with what would keep the process alive. */
const loadAll = `
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const [way, ...paths] = process.argv.slice(2)
const loaded = {}
for (const path of paths) {
  const load = way === 'require' || path.endsWith('.json') ? require : (name) => import(name)
  try {
    loaded[path] = Object.keys(await load(path)).length > 0 ? 'loaded' : 'gives nothing'
  } catch (error) {
    loaded[path] = String(error)
  }
}
await new Promise((resolve) => setImmediate(resolve))
const handles = process.getActiveResourcesInfo().filter((name) => !/^(?:Pipe|TTY|FSReqPromise|Immediate)/.test(name))
console.log(JSON.stringify({ loaded, handles }))
`

describe('every public path', () => {
  beforeAll(async () => {
    await writeFile(join(packed.consumer, 'bar-network.mjs'), barNetwork)
    await writeFile(join(packed.consumer, 'load-all.mjs'), loadAll)
  })

  test.each(['import', 'require'])('can be loaded by %s, without network or open handles', async (way) => {
    const paths = packed.publicPaths.filter((path) => !needsRunner.test(path))
    const parameters = ['--import', './bar-network.mjs', 'load-all.mjs', way, ...paths]

    const printed = await run({ program: process.execPath, parameters, folder: packed.consumer, limitSeconds: 15 })

    expect(JSON.parse(printed)).toEqual({
      loaded: Object.fromEntries(paths.map((path) => [path, 'loaded'])),
      handles: [],
    })
  })
})

/** Notes every file that is loaded. */
const noteLoads = `
import { register } from 'node:module'
register('./note-hook.mjs', import.meta.url)
`
const noteHook = `
import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  appendFileSync('loaded.txt', url + '\\n')
  return next(url, context)
}
`

describe('a provider', () => {
  beforeAll(async () => {
    await writeFile(join(packed.consumer, 'note-loads.mjs'), noteLoads)
    await writeFile(join(packed.consumer, 'note-hook.mjs'), noteHook)
  })

  test.each([
    [['oncehook', 'oncehook/postgres'], []],
    [['oncehook', 'oncehook/providers/stripe'], ['providers/stripe.js']],
    [['oncehook/providers/aws-sns'], ['providers/aws-sns.js']],
  ])('is loaded when it is imported, and no other: %j', async (paths, expected) => {
    await writeFile(join(packed.consumer, 'loaded.txt'), '')
    await writeFile(join(packed.consumer, 'imports.mjs'), paths.map((path) => `import '${path}'\n`).join(''))
    const parameters = ['--import', './note-loads.mjs', 'imports.mjs']

    await run({ program: process.execPath, parameters, folder: packed.consumer })

    const loaded = await readFile(join(packed.consumer, 'loaded.txt'), 'utf8')
    const ours = loaded.split('\n').flatMap((url) => url.split('/oncehook/dist/')[1] ?? [])
    expect(ours).not.toEqual([])
    expect(ours.filter((file) => /^(?:providers|testing|cli)\//.test(file))).toEqual(expected)
  })
})

describe('what a bundler keeps', () => {
  test.each([
    { what: 'of the core', code: `export { createInbox } from 'oncehook'`, kilobytes: 280 },
    { what: 'of a provider', code: `export { stripe } from 'oncehook/providers/stripe'`, kilobytes: 45 },
    { what: 'of an adapter', code: `export { expressHandler } from 'oncehook/express'`, kilobytes: 15 },
    { what: 'of one function', code: `export { isOncehookError } from 'oncehook'`, kilobytes: 1 },
  ])('$what is at most $kilobytes KB, minified', async ({ code, kilobytes }) => {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: packed.consumer },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      external: ['pg', '@electric-sql/pglite'],
      write: false,
    })

    expect(outputFiles[0]?.contents.byteLength).toBeLessThan(kilobytes * 1024)
  })
})

describe('the command', () => {
  test('is installed and says how it is used', async () => {
    const printed = await run({
      program: './node_modules/.bin/oncehook',
      parameters: ['--help'],
      folder: packed.consumer,
    })

    expect(printed).toContain('oncehook')
  })

  test('audits code with the parser that it brings along', async () => {
    const handler = `app.post('/webhooks', async (req, res) => { res.end(); await processEvent(req.body) })`
    await mkdir(join(packed.consumer, 'audited'))
    await writeFile(join(packed.consumer, 'audited/handler.js'), handler)

    const printed = await run({
      program: './node_modules/.bin/oncehook',
      parameters: ['audit', 'audited', '--fail-on', 'never'],
      folder: packed.consumer,
    })

    expect(printed).toContain('acknowledged-before-durable')
  })
})

/** What the first page of the documentation shows. */
const example = `
import { createInbox } from 'oncehook'
import { postgresStore } from 'oncehook/postgres'
import { stripe } from 'oncehook/providers/stripe'

const inbox = createInbox({
  store: postgresStore('postgres://localhost/app'),
  sources: { stripe: stripe({ secret: 'whsec_dGVzdA==' }) },
})

inbox.on('stripe', 'invoice.paid', async (event, { tx }) => {
  const id: string | undefined = event.objectId
  await tx.query('update invoices set paid_at = now() where id = $1', [id])
})

type IsAny<Type> = 0 extends 1 & Type ? true : false
inbox.on('stripe', ['invoice.paid', 'customer.*'], ({ payload }) => {
  const isUntyped: IsAny<typeof payload> = true
  return isUntyped
})

export const POST: (request: Request) => Promise<Response> = inbox.handler('stripe')
export const stopped: Promise<unknown> = inbox.start().then(() => inbox.stop())
`

/** With the packages of Stripe and GitHub installed, payloads have their types. */
const typedExample = `
import { createInbox } from 'oncehook'
import { stripeObject } from 'oncehook/current/stripe'
import { githubObject } from 'oncehook/current/github'
import { postgresStore } from 'oncehook/postgres'
import { github } from 'oncehook/providers/github'
import { stripe } from 'oncehook/providers/stripe'
import { Octokit } from '@octokit/core'
import Stripe from 'stripe'

const inbox = createInbox({
  store: postgresStore('postgres://localhost/app'),
  sources: {
    stripe: stripe({ secret: 'whsec_dGVzdA==', fetchCurrent: stripeObject(new Stripe('sk_test_1')) }),
    github: github({ secret: 'a secret', fetchCurrent: githubObject(new Octokit()) }),
  },
})

inbox.on('stripe', 'invoice.paid', ({ payload }) => {
  const cents: number = payload.data.object.amount_paid
  // @ts-expect-error It is a number.
  const text: string = payload.data.object.amount_paid
  return [cents, text]
})

inbox.on('github', 'push', ({ payload }) => {
  const ref: string = payload.ref
  // @ts-expect-error There is no such field.
  return [ref, payload.invented]
})
`

const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

const cases = Object.entries(compilers).flatMap(([version, compiler]) =>
  Object.entries(resolutions).map(([resolution, options]) => ({ version, compiler, resolution, options })),
)

describe('a TypeScript project that uses the package', () => {
  beforeAll(async () => {
    const paths = packed.publicPaths.filter((path) => !path.endsWith('.json') && !needsRunner.test(path))
    const everything = paths.map((path, index) => `export * as path${index} from '${path}'`).join('\n')
    await writeFile(join(packed.consumer, 'example.ts'), example)
    await writeFile(join(packed.consumer, 'everything.ts'), everything)
  })

  test.each(cases)('compiles with TypeScript $version and $resolution', async (used) => {
    const { consumer } = packed

    const printed = await compile(used, {
      folder: consumer,
      files: ['example.ts', 'everything.ts'],
      skipLibCheck: false,
    })

    expect(printed).toBe('')
  })
})

describe('a TypeScript project that has the packages of Stripe and GitHub too', () => {
  let typed: string

  beforeAll(async () => {
    typed = await packed.makeConsumerWith(['stripe', '@octokit/webhooks', '@octokit/core'])
    await writeFile(join(typed, 'typed.ts'), typedExample)
  })

  test.each(cases.filter(({ resolution }) => resolution === 'nodenext'))(
    'has typed payloads with TypeScript $version',
    async (used) => {
      expect(await compile(used, { folder: typed, files: ['typed.ts'], skipLibCheck: true })).toBe('')
    },
  )
})

/** Matchers have types with either runner, and answers have those of answers alone. */
const testExample = `
import 'oncehook/testing/vitest'
import 'oncehook/testing/jest'
import { expect as jestExpect } from '@jest/globals'
import { stripe } from 'oncehook/providers/stripe'
import { deliveries, testInbox } from 'oncehook/testing'
import { expect } from 'vitest'

export async function example(): Promise<void> {
  await using inbox = await testInbox({ sources: { stripe } })
  const answer = await inbox.deliver(deliveries.stripe('invoice.paid', { id: 'in_1' }))
  await expect(inbox).toHaveProcessedOnce('evt_1')
  await jestExpect(inbox).toHaveRows('paid', 1)
  expect(answer).toBeDuplicate()
  jestExpect(answer).toBeForged()
  // @ts-expect-error There is no such provider.
  deliveries.strype('invoice.paid')
  // @ts-expect-error An inbox is no answer.
  expect(inbox).toBeDuplicate()
}
`

describe('a TypeScript project that has Vitest and Jest too', () => {
  let folder: string

  beforeAll(async () => {
    folder = await packed.makeConsumerWith(['vitest', '@jest/globals', 'expect'])
    await writeFile(join(folder, 'tested.ts'), testExample)
  })

  test.each(cases.filter(({ resolution, version }) => resolution === 'nodenext' && version !== '5.4'))(
    'has typed matchers with TypeScript $version',
    async (used) => {
      expect(await compile(used, { folder, files: ['tested.ts'], skipLibCheck: true })).toBe('')
    },
  )
})

type Project = { readonly folder: string; readonly files: readonly string[]; readonly skipLibCheck: boolean }

/** What the compiler complains of. Without `skipLibCheck` our declarations are checked too, not only used. */
async function compile(
  { version, compiler, resolution, options }: (typeof cases)[number],
  { folder, files, skipLibCheck }: Project,
): Promise<string> {
  const configuration = `tsconfig.${version}.${resolution}.json`
  const compilerOptions = {
    ...options,
    target: 'es2022',
    lib: ['es2022'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck,
    noEmit: true,
  }
  await writeFile(join(folder, configuration), JSON.stringify({ compilerOptions, files }))
  return run({ program: process.execPath, parameters: [compiler, '-p', configuration], folder })
}
