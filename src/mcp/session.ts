import {
  type ErrorObject,
  errorCodes,
  errorReply,
  type IncomingMessage,
  isRecord,
  type MessageId,
  type Params,
  type Reply,
  resultReply,
} from './messages.ts'
import type { Tool } from './tool.ts'

/** Who is asked, and what for. */
export type McpServer = {
  readonly name: string
  readonly version: string
  /** For the model: when to use which tool. */
  readonly instructions: string
  readonly tools: readonly Tool[]
  /** Told of what is broken here; the client is only told that something is. */
  readonly onError: (error: unknown) => void
}

/** A conversation with one client. */
export type Session = {
  /** What to send back, if anything. Never rejects. */
  readonly handle: (message: IncomingMessage) => Promise<Reply | undefined>
  /** Breaks off whatever runs. */
  readonly end: () => void
}

/** Newest first. A client that asks for another is told the newest. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** Of one client, so that nobody fills this process. */
const mostUnderWay = 50

/** The Model Context Protocol (https://modelcontextprotocol.io), as far as tools need it. */
export function createSession(server: McpServer): Session {
  const underWay = new Map<MessageId, AbortController>()
  const tools = new Map(server.tools.map((tool) => [tool.name, tool]))
  let isInitialized = false

  return {
    async handle(message) {
      switch (message.kind) {
        case 'invalid':
          return errorReply(message.id, message.error)
        case 'answer':
          return undefined
        case 'notification':
          notified(message.method, message.params)
          return undefined
        case 'request':
          return requested(message.id, message.method, message.params)
      }
    },
    end() {
      for (const abort of underWay.values()) abort.abort()
    },
  }

  function notified(method: string, { requestId }: Params): void {
    if (method === 'notifications/cancelled') underWay.get(requestId as MessageId)?.abort()
  }

  async function requested(id: MessageId, method: string, params: Params): Promise<Reply | undefined> {
    if (method === 'initialize') return resultReply(id, initialize(params))
    if (method === 'ping') return resultReply(id, {})
    if (!isInitialized) {
      return failed(id, errorCodes.invalidMessage, 'Say initialize first.')
    }
    if (method === 'tools/list') return resultReply(id, { tools: server.tools.map(shown) })
    if (method === 'tools/call') return call(id, params)
    return failed(id, errorCodes.unknownMethod, `There is no method ${method.slice(0, 100)}.`)
  }

  function initialize({ protocolVersion }: Params): object {
    isInitialized = true
    const { name, version, instructions } = server
    return {
      protocolVersion: protocolVersions.find((known) => known === protocolVersion) ?? protocolVersions[0],
      capabilities: { tools: {} },
      serverInfo: { name, version },
      instructions,
    }
  }

  async function call(id: MessageId, { name, arguments: given = {} }: Params): Promise<Reply | undefined> {
    const tool = typeof name === 'string' ? tools.get(name) : undefined
    if (tool === undefined) {
      const known = [...tools.keys()].join(', ')
      return failed(id, errorCodes.invalidParams, `There is no such tool. There are: ${known}.`)
    }
    if (!isRecord(given)) return failed(id, errorCodes.invalidParams, 'arguments is not an object.')
    if (underWay.has(id)) return failed(id, errorCodes.invalidMessage, 'This id is of a request that still runs.')
    if (underWay.size >= mostUnderWay) {
      return failed(id, errorCodes.internal, `${mostUnderWay} calls are under way: wait for one of them.`)
    }
    const abort = new AbortController()
    underWay.set(id, abort)
    try {
      const answer = await tool.call(given, abort.signal)
      // Whoever has cancelled a call waits for no answer.
      if (abort.signal.aborted) return undefined
      const content = [{ type: 'text', text: answer.text }]
      return resultReply(
        id,
        answer.kind === 'done' ? { content, structuredContent: answer.structured } : { content, isError: true },
      )
    } catch (error) {
      if (abort.signal.aborted) return undefined
      server.onError(error)
      return failed(id, errorCodes.internal, 'The tool failed here. Its log says why.')
    } finally {
      underWay.delete(id)
    }
  }
}

function failed(id: MessageId, code: number, message: string): Reply {
  const error: ErrorObject = { code, message }
  return errorReply(id, error)
}

function shown({ name, title, description, inputSchema, outputSchema, annotations }: Tool): object {
  return {
    name,
    title,
    description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    annotations: { title, ...annotations },
  }
}
