import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage as HttpRequest, type Server, type ServerResponse } from 'node:http'
import { errorCodes, errorReply, type Reply, readMessage } from './messages.ts'
import { createSession, type McpServer, protocolVersions, type Session } from './session.ts'

export type HttpOptions = {
  /** What has to stand in `Authorization: Bearer …`. Without it only this machine may call. */
  readonly token: string | undefined
}

const path = '/mcp'
const mostBodyBytes = 4 << 20
const mostSessions = 100

/**
 * Streamable HTTP: every message is a POST to `/mcp`, and every answer one JSON document, as nothing here is ever told without being
 * asked. The oldest session gives way when there are too many.
 */
export function createHttpServer(server: McpServer, { token }: HttpOptions): Server {
  const sessions = new Map<string, Session>()
  const http = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      server.onError(error)
      if (response.headersSent) response.destroy()
      else refuse(response, 500, 'Something failed here.')
    })
  })
  http.on('close', () => {
    for (const session of sessions.values()) session.end()
  })
  return http

  async function serve(request: HttpRequest, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request)
    if (refusal !== undefined) return refuse(response, ...refusal)
    if (request.method === 'DELETE') return endSession(request, response)
    if (request.method !== 'POST') return refuse(response, 405, 'Send messages by POST.', { allow: 'POST, DELETE' })
    const body = await readBody(request)
    if (body === undefined) return refuse(response, 413, `A message has at most ${mostBodyBytes} bytes.`)
    const message = readMessage(body)
    if (message.kind === 'request' && message.method === 'initialize') {
      const [id, session] = openSession()
      return answer(response, await session.handle(message), { 'mcp-session-id': id })
    }
    const id = header(request, 'mcp-session-id')
    if (id === undefined) return refuse(response, 400, 'The header Mcp-Session-Id is missing: say initialize first.')
    const session = sessions.get(id)
    if (session === undefined) return refuse(response, 404, 'There is no such session: say initialize again.')
    answer(response, await session.handle(message))
  }

  /** Who may not call at all, and why. Pages of other sites reach this machine through its browsers, and are told apart by these headers. */
  function refusalOf(request: HttpRequest): readonly [number, string] | undefined {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== path) return [404, `There is only ${path}.`]
    const origin = header(request, 'origin')
    if (origin !== undefined && !isLoopback(hostOf(origin))) return [403, 'Pages of other sites may not call.']
    if (token === undefined && !isLoopback(hostOf(`http://${header(request, 'host') ?? ''}`))) {
      return [403, 'This host name is not of this machine.']
    }
    if (token !== undefined && !isSame(header(request, 'authorization') ?? '', `Bearer ${token}`)) {
      return [401, 'The token is missing, or another one.']
    }
    const version = header(request, 'mcp-protocol-version')
    if (version !== undefined && !protocolVersions.some((known) => known === version)) {
      return [400, `This protocol version is not known here. There are: ${protocolVersions.join(', ')}.`]
    }
    return undefined
  }

  function openSession(): readonly [string, Session] {
    const [oldest] = sessions.keys()
    if (sessions.size >= mostSessions && oldest !== undefined) closeSession(oldest)
    const id = randomUUID()
    const session = createSession(server)
    sessions.set(id, session)
    return [id, session]
  }

  function closeSession(id: string): boolean {
    sessions.get(id)?.end()
    return sessions.delete(id)
  }

  function endSession(request: HttpRequest, response: ServerResponse): void {
    const isEnded = closeSession(header(request, 'mcp-session-id') ?? '')
    if (isEnded) response.writeHead(204).end()
    else refuse(response, 404, 'There is no such session.')
  }
}

function answer(
  response: ServerResponse,
  reply: Reply | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (reply === undefined) {
    response.writeHead(202, headers).end()
    return
  }
  const isRefused = 'error' in reply && reply.id === null
  response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(reply))
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const more = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...more, ...headers })
  response.end(JSON.stringify(errorReply(null, { code: errorCodes.invalidMessage, message })))
}

async function readBody(request: HttpRequest): Promise<string | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > mostBodyBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function header({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined
}

function isLoopback(host: string | undefined): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host ?? '')
}

/** In constant time, also for other lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
