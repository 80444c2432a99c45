import { createServer, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { LambdaAnswer, LambdaEvent, LambdaHandler } from '../../src/adapters/lambda.ts'

export type Gateway = 'rest_api' | 'http_api' | 'function_url' | 'load_balancer'

type Called = {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly pairs: readonly (readonly [string, string])[]
  readonly body: Buffer
  /** Of a load balancer: whether its target group has lists of values for headers. */
  readonly values: 'single' | 'lists'
}

/** A gateway as Lambda sees it, in the formats that AWS documents. It hands over text as text where it is UTF-8, else base64. */
export function lambdaGateway(gateway: Gateway, handle: LambdaHandler, values: Called['values'] = 'single'): Server {
  return createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const [path = '', query = ''] = (request.url ?? '').split('?', 2)
      const pairs = request.rawHeaders.flatMap((name, index) =>
        index % 2 === 0 ? [[name.toLowerCase(), request.rawHeaders[index + 1] ?? ''] as const] : [],
      )
      const called = { method: request.method ?? '', path, query, pairs, body: await buffer(request), values }
      // Events come as JSON, and answers leave as JSON.
      const event = JSON.parse(JSON.stringify(eventOf(gateway, called))) as LambdaEvent
      const given = JSON.parse(JSON.stringify(await handle(event))) as LambdaAnswer
      const headers = given.multiValueHeaders ?? given.headers ?? {}
      response.writeHead(given.statusCode, headers as Record<string, string | string[]>).end(given.body)
    }
    answer().catch((error: unknown) => response.writeHead(599).end(String(error)))
  })
}

function eventOf(gateway: Gateway, called: Called): LambdaEvent {
  const { method, path, query, pairs, body } = called
  const text = body.toString('utf8')
  const isText = Buffer.from(text, 'utf8').equals(body) && gateway !== 'function_url'
  const common = { body: isText ? text : body.toString('base64'), isBase64Encoded: !isText }
  const host = pairs.find(([name]) => name === 'host')?.[1] ?? ''
  const single = Object.fromEntries(pairs)
  const lists = groupOf(pairs)
  switch (gateway) {
    case 'rest_api': {
      const parameters = [...new URLSearchParams(query)]
      return {
        ...common,
        httpMethod: method,
        path,
        headers: single,
        multiValueHeaders: lists,
        queryStringParameters: query === '' ? null : Object.fromEntries(parameters),
        multiValueQueryStringParameters: query === '' ? null : groupOf(parameters),
        requestContext: { path, domainName: host },
      }
    }
    case 'http_api':
    case 'function_url':
      return {
        ...common,
        version: '2.0',
        rawPath: path,
        rawQueryString: query,
        headers: Object.fromEntries(Object.entries(lists).map(([name, all]) => [name, all.join(',')])),
        requestContext: { http: { method }, domainName: host },
      }
    case 'load_balancer': {
      const raw = query === '' ? [] : query.split('&').map((pair) => pair.split('=', 2) as [string, string])
      const isSingle = called.values === 'single'
      return {
        ...common,
        httpMethod: method,
        path,
        ...(isSingle
          ? { headers: single, queryStringParameters: Object.fromEntries(raw) }
          : { multiValueHeaders: lists, multiValueQueryStringParameters: groupOf(raw) }),
        requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:example' } },
      }
    }
  }
}

function groupOf(pairs: readonly (readonly [string, string])[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {}
  for (const [name, value] of pairs) (groups[name] ??= []).push(value)
  return groups
}
