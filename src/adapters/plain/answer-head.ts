import { STATUS_CODES } from 'node:http'
import type { Answer } from '../../verify/provider.ts'

/** Whether more may be sent on the connection after an answer. */
export type ConnectionState = 'keep-alive' | 'close'

/** Without a body, and without a length either. */
const bodyless = new Set([204, 304])

/** Ours to say, whatever an answer has under these names. */
const ownNames = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** All of an answer that comes before its body, with what `node:http` would say of the connection. */
export function answerHead(
  { status, headers = {} }: Answer,
  { bodyBytes, connection, keepAliveSeconds }: AnswerFraming,
): string {
  let lines = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  for (const name in headers) {
    if (!ownNames.has(name)) lines += `${name}: ${headers[name]}\r\n`
  }
  if (!bodyless.has(status)) lines += `content-length: ${bodyBytes}\r\n`
  const kept = connection === 'close' ? '' : `Keep-Alive: timeout=${keepAliveSeconds}\r\n`
  return `${lines}Date: ${dateNow()}\r\nConnection: ${connection}\r\n${kept}\r\n`
}

export type AnswerFraming = {
  readonly bodyBytes: number
  readonly connection: ConnectionState
  readonly keepAliveSeconds: number
}

let lastSecond = 0
let lastDate = ''

/** The same for a whole second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastDate = new Date(second * 1000).toUTCString()
  }
  return lastDate
}
