import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type LambdaEvent, lambdaHandler } from '../../src/adapters/lambda.ts'
import { openConformanceInbox } from './conformance-inbox.ts'
import { describeFramework } from './describe-framework.ts'
import { type Gateway, lambdaGateway } from './lambda-gateway.ts'
import { bodyReceived, recordingDoor } from './recording-door.ts'

const gateways: readonly (readonly [string, Gateway, 'single' | 'lists', 'http' | 'https'])[] = [
  ['API Gateway (REST)', 'rest_api', 'single', 'https'],
  ['API Gateway (HTTP)', 'http_api', 'single', 'https'],
  ['a function URL', 'function_url', 'single', 'https'],
  ['a load balancer', 'load_balancer', 'lists', 'http'],
]

for (const [name, gateway, values, protocol] of gateways) {
  describeFramework(
    `Lambda behind ${name}`,
    async (place) => {
      const inbox = openConformanceInbox(place)
      const server = lambdaGateway(gateway, lambdaHandler(inbox), values).listen(0, '127.0.0.1')
      await once(server, 'listening')
      return {
        port: (server.address() as AddressInfo).port,
        async close() {
          await new Promise((resolve) => server.close(resolve))
          await inbox.end()
        },
      }
    },
    {
      bodies: 'whole',
      // What Lambda takes at most.
      largestBodyBytes: gateway === 'load_balancer' ? 1_000_000 : 4_400_000,
      query: gateway === 'rest_api' ? 'decoded' : 'as_written',
      protocol,
    },
  )
}

/** From the developer guides of AWS, shortened. */
const documented: Readonly<Record<string, LambdaEvent>> = {
  'a REST API with a stage': {
    httpMethod: 'POST',
    path: '/webhooks/acme',
    headers: { Host: 'abc.execute-api.us-east-1.amazonaws.com', 'X-Acme': 'b' },
    multiValueHeaders: { Host: ['abc.execute-api.us-east-1.amazonaws.com'], 'X-Acme': ['a', 'b'] },
    queryStringParameters: { 'a b': '1', c: '\u00fc' },
    multiValueQueryStringParameters: { 'a b': ['1', '2'], c: ['\u00fc'] },
    requestContext: { path: '/prod/webhooks/acme', domainName: 'abc.execute-api.us-east-1.amazonaws.com' },
    body: 'aGVsbG8=',
    isBase64Encoded: true,
  },
  'an HTTP API': {
    version: '2.0',
    rawPath: '/webhooks/acme',
    rawQueryString: 'a%20b=1&a%20b=2&c=%C3%BC',
    cookies: ['one=1', 'two=2'],
    headers: { host: 'abc.execute-api.us-east-1.amazonaws.com', 'x-acme': 'a,b' },
    requestContext: { http: { method: 'POST' }, domainName: 'abc.execute-api.us-east-1.amazonaws.com' },
    body: 'hello',
    isBase64Encoded: false,
  },
  'a load balancer': {
    httpMethod: 'POST',
    path: '/webhooks/acme',
    multiValueQueryStringParameters: { 'a%20b': ['1', '2'], c: ['%C3%BC'] },
    multiValueHeaders: { host: ['lb.example.com'], 'x-acme': ['a', 'b'], 'x-forwarded-proto': ['https'] },
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:example' } },
    body: 'hello',
    isBase64Encoded: false,
  },
}

describe('an event of', () => {
  test.for([
    ['a REST API with a stage', 'https://abc.execute-api.us-east-1.amazonaws.com/prod/webhooks/acme', ['a', 'b']],
    ['an HTTP API', 'https://abc.execute-api.us-east-1.amazonaws.com/webhooks/acme', ['a,b']],
    ['a load balancer', 'https://lb.example.com/webhooks/acme', ['a', 'b']],
  ] as const)('%s is the request that was sent', async ([name, address, values]) => {
    const door = recordingDoor()

    const answer = await lambdaHandler({ door })(documented[name] ?? {})

    expect(bodyReceived(door)).toBe('hello')
    expect(door.received[0]?.delivery.url).toBe(`${address}?a%20b=1&a%20b=2&c=%C3%BC`)
    expect(door.received[0]?.delivery.headers.get('x-acme')).toEqual(values)
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    expect(answer).toMatchObject({ statusCode: 202, statusDescription: '202 Accepted', isBase64Encoded: false })
    expect(answer.headers ?? answer.multiValueHeaders).toEqual(
      name === 'a load balancer' ? { 'content-type': ['application/json'], 'cache-control': ['no-store'] } : headers,
    )
  })

  test('something else than HTTP is an error that says what to do', async () => {
    const door = recordingDoor()

    expect((await lambdaHandler({ door })({})).statusCode).toBe(500)
    expect(door.errors).toMatchObject([{ message: expect.stringContaining('inbox.drain()') }])
    expect(door.received).toEqual([])
  })
})

test('what was counted is written before the process is frozen, and a failure of that costs no answer', async () => {
  const writes: string[] = []
  const door = { ...recordingDoor(), flush: async () => void writes.push('written') }
  const failing = { ...recordingDoor(), flush: () => Promise.reject(new Error('away')) }

  expect((await lambdaHandler({ door })(documented['an HTTP API'] ?? {})).statusCode).toBe(202)
  expect((await lambdaHandler({ door: failing })(documented['an HTTP API'] ?? {})).statusCode).toBe(202)
  expect(writes).toEqual(['written'])
  expect(failing.errors).toMatchObject([{ message: 'away' }])
})
