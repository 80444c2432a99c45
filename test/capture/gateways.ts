import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { compiledFile } from '../support/compiled.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

export const stripeSecret = 'whsec_0123456789abcdef0123456789abcdef'
export const githubSecret = 'a-secret-of-github-with-enough-letters'

/** Real gateways in processes of their own, on one database, with one configuration. */
export type Gateways = {
  readonly database: TestDatabase
  readonly directory: string
  readonly urls: readonly string[]
  /** Kills one with SIGKILL and starts it anew; answers with its new address. */
  readonly restart: (index: number) => Promise<string>
  /** Runs a command of the command line there. */
  readonly run: (
    words: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
  readonly stop: () => Promise<void>
}

/** `more` is put into the configuration besides the sources stripe and github; `handler` is that of stripe, SCHEMA in it the test's own. */
export async function startGateways(count: number, more: string, handler = '() => {}'): Promise<Gateways> {
  const program = await compiledFile('src/cli/main.ts')
  const database = await createTestDatabase()
  const directory = mkdtempSync(join(tmpdir(), 'oncehook-captures-'))
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(resolve(dirname(program), '../..'), join(directory, 'node_modules/oncehook'), 'junction')
  writeFileSync(
    join(directory, 'oncehook.config.mjs'),
    configuration(more, handler.replaceAll('SCHEMA', database.schema)),
  )
  const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TZ: 'UTC' }
  const place = ['--database', database.url, '--schema', database.schema]

  const launch = async (): Promise<{ child: ChildProcess; url: string }> => {
    const words = [program, 'start', ...place, '--port', '0', '--json']
    const child = spawn(process.execPath, words, { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] })
    return { child, url: await startedUrl(child) }
  }
  // The first one makes the tables.
  const running = [await launch()]
  running.push(...(await Promise.all(Array.from({ length: count - 1 }, launch))))
  const end = async ({ child }: { child: ChildProcess }): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    database,
    directory,
    urls: running.map(({ url }) => url),
    async restart(index) {
      const old = running[index]
      if (old !== undefined) await end(old)
      const next = await launch()
      running[index] = next
      return next.url
    },
    async run(words, environment = {}) {
      const child = spawn(process.execPath, [program, ...words], { cwd: directory, env: { ...env, ...environment } })
      let [stdout, stderr] = ['', '']
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, stdout, stderr }
    },
    async stop() {
      await Promise.all(running.map(end))
      await database.drop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function configuration(more: string, handler: string): string {
  return `
    import { github } from 'oncehook/providers/github'
    import { stripe } from 'oncehook/providers/stripe'
    export default {
      sources: {
        stripe: { provider: stripe({ secret: '${stripeSecret}' }), on: { '*': ${handler} } },
        github: { provider: github({ secret: '${githubSecret}' }), on: { '*': () => {} } },
      },
      ${more}
    }`
}

function startedUrl(child: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((done, reject) => {
    child.once('exit', () => reject(new Error(`The gateway ended before it had started:\n${text}`)))
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const line = text.split('\n').find((one) => one.includes('"kind":"started"') && one.endsWith('}'))
      if (line !== undefined) done((JSON.parse(line) as { readonly url: string }).url)
    })
  })
}

/** Sends bytes as they are, and answers with all that comes back until the server closes. */
export function sendRaw(
  url: string,
  bytes: string | Uint8Array,
  options: { readonly end?: boolean } = {},
): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((answer) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('close', () => answer(text))
    socket.on('error', () => {})
    socket.write(bytes)
    if (options.end === true) socket.end()
  })
}
