import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect } from 'vitest'
import { stripe } from '../../src/providers/stripe.ts'
import type { SimulationReport } from '../../src/simulator/simulate.ts'
import { test as base } from '../cli/command-line.ts'

const secret = 'whsec_0123456789abcdef0123456789abcdef'

type Endpoint = { readonly url: string; readonly statuses: number[]; readonly requests: () => number }

/** An endpoint that verifies, and answers what it is told to. */
const test = base.extend<{ readonly endpoint: Endpoint }>({
  endpoint: async ({}, use) => {
    const source = stripe({ secret })
    const statuses: number[] = []
    let requests = 0
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        requests += 1
        const { kind } = source.verify({ headers: request.headers, body: Buffer.concat(chunks) }, new Date())
        response.writeHead(kind === 'authentic' ? (statuses.shift() ?? 200) : 401).end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/stripe`
    await use({ url, statuses, requests: () => requests })
    server.closeAllConnections()
    server.close()
  },
})

describe('oncehook simulate', () => {
  test('delivers every event, with retries that are believed, and prints no secret', async ({
    commandLine,
    endpoint,
  }) => {
    endpoint.statuses.push(500, 500, 500)
    const words = [
      'simulate',
      'stripe',
      endpoint.url,
      '--secret',
      secret,
      '--events',
      '5',
      '--rate',
      '1/h',
      '--seed',
      'a',
    ]

    const { code, stdout, stderr } = await commandLine.run(words)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Stripe: up to 15 attempts')
    expect(stdout).toContain('not documented; simulated as')
    expect(stdout).toMatch(/events\s+5 delivered/)
    expect(stdout).toMatch(/acknowledged\s+4 at attempt 1, 1 at attempt 4/)
    expect(stdout).toContain('Every event was delivered. Seed a.')
    expect(stdout).not.toContain(secret)
    expect(endpoint.requests()).toBe(8)
  })

  test('ends with 1 where events are given up, and tells the schedule as planned and as made', async ({
    commandLine,
    endpoint,
  }) => {
    const wrong = ['--secret', 'whsec_another-secret-of-some-length', '--events', '1', '--json']
    const { code, stdout } = await commandLine.run(['simulate', 'stripe', endpoint.url, ...wrong])
    const report = JSON.parse(stdout) as SimulationReport

    expect(code).toBe(1)
    expect(report).toMatchObject({ verdict: 'lost_events', outcomes: { 401: 15 } })
    const attempts = report.events[0]?.attempts ?? []
    expect(attempts.slice(0, 4).map(({ plannedSeconds }) => plannedSeconds)).toEqual([0, 60, 180, 420])
    expect(attempts.map(({ madeSeconds }) => madeSeconds)).toEqual(attempts.map((attempt) => attempt.plannedSeconds))
  })

  test('says that nobody is there, and shows a plan without anybody', async ({ commandLine }) => {
    const [unreachable, plan] = await Promise.all([
      commandLine.run(['simulate', 'stripe', 'http://127.0.0.1:1/in', '--secret', secret]),
      commandLine.run(['simulate', 'square', '--plan']),
    ])

    expect(unreachable).toMatchObject({
      code: 2,
      stderr: 'oncehook: Nobody listens at http://127.0.0.1:1. Start the endpoint first.\n',
    })
    expect(plan.stdout).toContain('up to 12 attempts, with pauses of 1 min, 2 min, 4 min')
  })
})
