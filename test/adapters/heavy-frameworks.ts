import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import type { Place } from './conformance-inbox.ts'
import { describeFramework, type FrameworkApp } from './describe-framework.ts'

const folder = join(import.meta.dirname, 'frameworks')
const packages = join(folder, 'node_modules')

type Program = {
  readonly command?: string
  readonly given: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts an application of `frameworks/apps` in a process of its own. */
function startProgram({ command = process.execPath, given, environment }: Program) {
  return async ({ databaseUrl, schema }: Place): Promise<FrameworkApp> => {
    const port = await freePort()
    const child = spawn(command, given, {
      cwd: folder,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        DATABASE_URL: databaseUrl,
        SCHEMA: schema,
        PORT: String(port),
        HOST: '127.0.0.1',
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
      // Some start others, which have to end with them.
      detached: true,
    })
    await until(() => isListening(child, port), Boolean, 120)
    return {
      port,
      async close() {
        const ended = once(child, 'exit')
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
        await ended
      },
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function isListening(child: ChildProcess, port: number): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`The application ended with ${child.exitCode}.`)
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

for (const platform of ['express', 'fastify']) {
  describeFramework(`NestJS on ${platform}`, startProgram({ given: ['apps/nest.mjs', platform] }), {
    parsedBodyAdvice: 'before app.init()',
  })
}

const next = startProgram({ given: [join(packages, 'next/dist/bin/next'), 'start', 'apps/next', '-H', '127.0.0.1'] })
describeFramework('the app router of Next.js', next, {
  query: 'decoded',
  parsedBodyAdvice: 'nextHandler before anything calls',
})
describeFramework('the pages router of Next.js', next, {
  prefix: '/api',
  query: 'decoded',
  parsedBodyAdvice: 'bodyParser: false',
})

const sveltekit = startProgram({
  given: ['apps/sveltekit/build/index.js'],
  environment: { BODY_SIZE_LIMIT: 'Infinity' },
})
// Without ORIGIN or PROTOCOL_HEADER it takes every call for one by https.
describeFramework('SvelteKit', sveltekit, {
  protocol: 'https',
  whenRefused: 'cuts_off',
  parsedBodyAdvice: 'hooks.server.ts',
})

for (const [name, app, advice] of [
  ['Nitro 2', 'nitro', 'readBody(event)'],
  ['Nitro 3', 'nitro-3', 'event.req.json()'],
  ['Nuxt', 'nuxt', 'readBody(event)'],
] as const) {
  const built = startProgram({ given: [`apps/${app}/.output/server/index.mjs`] })
  describeFramework(name, built, { parsedBodyAdvice: advice })
}

const reactRouter = startProgram({ given: ['apps/react-router.mjs'] })
describeFramework('React Router', reactRouter, { query: 'decoded', parsedBodyAdvice: 'request.clone()' })

const bun = startProgram({ command: join(packages, '@oven/bun-linux-x64/bin/bun'), given: ['apps/bun.mjs'] })
describeFramework('Bun', bun, { parsedBodyAdvice: 'request.clone()' })

const cloudflare = startProgram({ given: ['apps/cloudflare/serve.mjs'] })
describeFramework('Cloudflare Workers', cloudflare, { parsedBodyAdvice: 'request.clone()' })

const deno = startProgram({
  command: join(packages, '@deno/linux-x64-glibc/deno'),
  given: ['run', '--allow-all', '--no-prompt', '--quiet', 'apps/deno.mjs'],
})
describeFramework('Deno', deno, { parsedBodyAdvice: 'request.clone()' })
