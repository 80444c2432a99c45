/** A message of JSON-RPC 2.0 that was read and can be worked with. */
export type IncomingMessage =
  | { readonly kind: 'request'; readonly id: MessageId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  /** An answer to something that was never asked here. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'invalid'; readonly id: MessageId | null; readonly error: ErrorObject }

export type MessageId = string | number

export type Params = Readonly<Record<string, unknown>>

export type ErrorObject = { readonly code: number; readonly message: string; readonly data?: unknown }

/** What is sent back for a request. */
export type Reply =
  | { readonly jsonrpc: '2.0'; readonly id: MessageId; readonly result: object }
  | { readonly jsonrpc: '2.0'; readonly id: MessageId | null; readonly error: ErrorObject }

/** The codes of JSON-RPC. */
export const errorCodes = {
  notJson: -32_700,
  invalidMessage: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const

export function resultReply(id: MessageId, result: object): Reply {
  return { jsonrpc: '2.0', id, result }
}

export function errorReply(id: MessageId | null, error: ErrorObject): Reply {
  return { jsonrpc: '2.0', id, error }
}

/** Reads text that should be one message. */
export function readMessage(text: string): IncomingMessage {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return invalid(null, errorCodes.notJson, 'This is not JSON.')
  }
  return asMessage(given)
}

function asMessage(given: unknown): IncomingMessage {
  if (Array.isArray(given)) {
    return invalid(null, errorCodes.invalidMessage, 'Batches are not taken: send one message at a time.')
  }
  if (!isRecord(given) || given['jsonrpc'] !== '2.0') {
    return invalid(null, errorCodes.invalidMessage, 'This is no message of JSON-RPC 2.0.')
  }
  const { id, method, params = {} } = given
  if (method === undefined && ('result' in given || 'error' in given)) return { kind: 'answer' }
  const known = isId(id) ? id : null
  if (typeof method !== 'string') return invalid(known, errorCodes.invalidMessage, 'The message names no method.')
  if (!isRecord(params)) return invalid(known, errorCodes.invalidParams, 'params is not an object.')
  if (id === undefined) return { kind: 'notification', method, params }
  if (!isId(id)) return invalid(null, errorCodes.invalidMessage, 'id is neither a text nor a whole number.')
  return { kind: 'request', id, method, params }
}

function isId(id: unknown): id is MessageId {
  return (typeof id === 'string' && id.length <= 200) || Number.isSafeInteger(id)
}

function invalid(id: MessageId | null, code: number, message: string): IncomingMessage {
  return { kind: 'invalid', id, error: { code, message } }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
