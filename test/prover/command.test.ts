import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { ProverReport } from '../../src/prover/prove.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { test as base } from '../cli/command-line.ts'

type Endpoint = { readonly url: string; readonly effectsUrl: string }

const secret = 'whsec_0123456789abcdef0123456789abcdef'

/** A handler in this process that verifies and then works at every copy, and tells how often it has. */
const test = base.extend<{ readonly endpoint: Endpoint }>({
  endpoint: async ({}, use) => {
    const source = stripe({ secret })
    const effects = new Map<string, number>()
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const asked = new URL(request.url ?? '', 'http://localhost').searchParams.get('event')
        if (asked !== null) return void response.end(JSON.stringify({ count: effects.get(asked) ?? 0 }))
        const delivery = { headers: request.headers, body: Buffer.concat(chunks) }
        const events = source.verify(delivery, new Date()).kind === 'authentic' ? source.identify(delivery) : []
        const [event] = Array.isArray(events) ? events : []
        if (event !== undefined) effects.set(event.id, (effects.get(event.id) ?? 0) + 1)
        response.writeHead(event === undefined ? 400 : 200).end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    await use({ url: `${origin}/stripe`, effectsUrl: `${origin}/effects?event={event}` })
    server.closeAllConnections()
    server.close()
  },
})

const quick = ['--only', 'single-delivery,repeated-delivery,unsigned', '--provider', 'stripe']

describe('oncehook prove', () => {
  test('ends with 1 for a handler that is not safe, and writes every report', async ({ commandLine, endpoint }) => {
    const words = ['prove', endpoint.url, ...quick, '--secret', secret, '--probe-url', endpoint.effectsUrl]
    const reports = ['--report', 'report.html', '--junit', 'report.xml']

    const { code, stdout, stderr } = await commandLine.run([...words, ...reports, '--seed', 'a'])
    const json = await commandLine.json<ProverReport>([...words, '--seed', 'a'])

    expect(stderr).toBe('')
    expect(code).toBe(1)
    expect(stdout).toMatch(/✗ repeated-delivery .* 5 deliveries in a row → 5 effects/)
    expect(stdout).toContain('No deduplication (no-deduplication)')
    expect(stdout).toContain('docs/prover.md#no-deduplication')
    expect(stdout).toMatch(/Not safe\. 3 scenarios: 2 passed, 1 failed\. Seed a, /)
    expect(json).toMatchObject({ verdict: 'unsafe', seed: 'a', provider: 'stripe', target: endpoint.url })
    expect(json.scenarios.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed'])
    const [html, xml] = ['report.html', 'report.xml'].map((name) =>
      readFileSync(join(commandLine.directory, name), 'utf8'),
    )
    expect(html).toContain('<svg')
    expect(xml).toContain('<testsuite name="oncehook prove')
    expect(xml).toContain('<failure type="no-deduplication"')
    for (const text of [stdout, JSON.stringify(json), html, xml]) expect(text).not.toContain(secret)
  })

  test('ends with 0 without a probe, and says what it could not see', async ({ commandLine, endpoint }) => {
    const { code, stdout } = await commandLine.run(['prove', endpoint.url, ...quick, '--secret', secret])

    expect(code).toBe(0)
    expect(stdout).toContain('◐ repeated-delivery')
    expect(stdout).toContain('without a probe only the answers could be judged')
    expect(stdout).toMatch(/Safe\. 3 scenarios: 0 passed, 0 failed, 3 seen only from outside/)
  })

  test('ends with 2 where nothing can be said', async ({ commandLine, endpoint }) => {
    const prove = async (...words: string[]) => commandLine.run(['prove', endpoint.url, ...quick, ...words])

    const wrongSecret = await prove('--secret', 'whsec_of_somebody_else_altogether')
    const blindProbe = await prove('--secret', secret, '--probe-command', 'echo 0', '--patience', '1')
    const eagerProbe = await prove('--secret', secret, '--probe-command', 'echo 1')
    const noServer = await commandLine.run(['prove', 'http://127.0.0.1:1/', ...quick, '--secret', secret])
    const noStart = await prove('--secret', secret, '--start', 'sleep 60')

    expect([wrongSecret, blindProbe, eagerProbe, noServer, noStart].map(({ code }) => code)).toEqual([2, 2, 2, 2, 2])
    expect(wrongSecret.stdout).toContain('A correctly signed event was answered 400')
    expect(blindProbe.stdout).toContain('the probe still counts 0 effects')
    expect(eagerProbe.stdout).toContain('counts 1 for an event that was never sent')
    expect(noServer.stdout).toContain('The endpoint cannot be reached: ECONNREFUSED')
    expect(noStart.stderr).toContain('Something listens on port')
  })

  test.for([
    [[], 'Which endpoint?'],
    [['http://127.0.0.1:1'], 'Which provider?'],
    [['http://127.0.0.1:1', '--provider', 'strip'], 'There is no provider'],
    [['http://127.0.0.1:1', '--provider', 'stripe', '--secret', secret, '--only', 'nothing'], 'There is no scenario'],
    [['http://127.0.0.1:1', '--provider', 'stripe', '--secret', secret, '--probe-sql', 'select 1'], 'needs a database'],
    [['http://127.0.0.1:1', '--provider', 'stripe', '--secret', secret, '--copies', '1'], 'whole number'],
  ] as const)('%j ends with 2 and one sentence', async ([words, sentence], { commandLine }) => {
    const { code, stdout, stderr } = await commandLine.run(['prove', ...words])

    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(sentence)
  })
})
