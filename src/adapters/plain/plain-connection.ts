import type { Socket } from 'node:net'
import type { Answer } from '../../verify/provider.ts'
import { answerHead } from './answer-head.ts'
import { type PlainRequest, readPlainRequest } from './plain-request.ts'

/** What all connections have in common. */
export type PlainService = {
  /** Whether a request is served here. Whatever is to be said to another, `node:http` says. */
  readonly takes: (request: PlainRequest) => boolean
  /** `cut_short`: its sender went away before the body had come. Never rejects. */
  readonly answer: (request: PlainRequest, body: Buffer | 'cut_short') => Promise<Answer>
  readonly keepAliveSeconds: number
  /** How long a new connection may say nothing. */
  readonly silenceSeconds: number
  /** Takes the connection from here, with what was read of it and not answered. */
  readonly handOver: (socket: Socket) => void
  /** A part of a request has come, and the rest is not there. */
  readonly onUnfinished: (connection: PlainConnection) => void
  /** A request was answered, or the connection is not served here any more. */
  readonly onSettled: (connection: PlainConnection) => void
}

/** A connection whose requests are read and answered here for as long as they are plain. */
export type PlainConnection = {
  readonly socket: Socket
  readonly state: () => PlainConnectionState
  /** Gives the connection to `node:http`, unless a request is being answered. */
  readonly handOver: () => void
  /** Makes the next answer the last one. */
  readonly finish: () => void
}

/**
 * How much of a request is there: nothing, a part of its head, its head, or all of it, until its answer has gone out.
 * `gone`: the connection is not served here any more.
 */
export type PlainConnectionState = 'idle' | 'in_head' | 'in_body' | 'answering' | 'gone'

const nothing = Buffer.alloc(0)

/** Serves the plain requests of a connection one after the other. The first that is not plain is handed over with all that come after it. */
export function servePlainly(socket: Socket, service: PlainService): PlainConnection {
  /** What came and is not answered yet. */
  let pending: Buffer = nothing
  /** The request that it begins with, once all of its head is there. */
  let request: PlainRequest | undefined
  let isAnswering = false
  let isGone = false
  let isLast = false
  /** The last answer is on its way. */
  let isEnding = false
  let hasAnswered = false

  const connection: PlainConnection = { socket, state, handOver, finish: () => void (isLast = true) }
  socket.on('data', onData).on('end', onEnd).on('close', onClose).on('error', ignore).on('timeout', onTimeout)
  socket.setTimeout(service.silenceSeconds * 1000)
  return connection

  function state(): PlainConnectionState {
    if (isGone) return 'gone'
    if (isAnswering || isEnding) return 'answering'
    if (request !== undefined) return 'in_body'
    return pending.length > 0 ? 'in_head' : 'idle'
  }

  function onData(bytes: Buffer): void {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
    // Whoever sends on before the answer is there has to wait with the rest.
    if (isAnswering) socket.pause()
    else takeNext()
  }

  function takeNext(): void {
    if (request === undefined) {
      const reading = readPlainRequest(pending)
      if (reading === 'unfinished') return service.onUnfinished(connection)
      if (reading === 'other' || !service.takes(reading.request)) return handOver()
      request = reading.request
    }
    const end = request.bodyStart + request.bodyBytes
    if (pending.length < end) return service.onUnfinished(connection)
    const body = pending.subarray(request.bodyStart, end)
    pending = pending.length === end ? nothing : pending.subarray(end)
    answer(request, body)
  }

  function answer(taken: PlainRequest, body: Buffer | 'cut_short'): void {
    isAnswering = true
    if (taken.connection === 'close') isLast = true
    service.answer(taken, body).then(conclude).catch(giveUp)
  }

  function conclude(given: Answer): void {
    send(given)
    isAnswering = false
    request = undefined
    isEnding = isLast
    // What is left is told when the connection is closed: before that, all of the answer may not have gone out.
    if (isLast) return socket.destroySoon()
    if (isGone) return
    service.onSettled(connection)
    if (!hasAnswered) socket.setTimeout(service.keepAliveSeconds * 1000)
    hasAnswered = true
    if (pending.length === 0) return
    // Whoever does not read its answers gets no more of them.
    if (socket.writableNeedDrain) socket.once('drain', readOn)
    else readOn()
  }

  /** As one text where all of it is ASCII, as it nearly always is. */
  function send(given: Answer): void {
    if (!socket.writable) return
    const { body = '', headers } = given
    if (headers?.['connection'] === 'close') isLast = true
    const bodyBytes = Buffer.byteLength(body, 'utf8')
    const head = answerHead(given, {
      bodyBytes,
      connection: isLast ? 'close' : 'keep-alive',
      keepAliveSeconds: service.keepAliveSeconds,
    })
    if (bodyBytes === body.length) {
      socket.write(head + body, 'latin1')
    } else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body, 'utf8')
      socket.uncork()
    }
  }

  function readOn(): void {
    if (isAnswering || isGone) return
    takeNext()
    if (!isGone) socket.resume()
  }

  function handOver(): void {
    if (isAnswering || isGone) return
    isGone = true
    socket.off('data', onData).off('end', onEnd).off('close', onClose).off('error', ignore).off('timeout', onTimeout)
    socket.setTimeout(0)
    // Paused, so that what is put back comes before what is still to come, and only when somebody listens.
    socket.pause()
    if (pending.length > 0) socket.unshift(pending)
    service.handOver(socket)
    socket.resume()
    service.onSettled(connection)
  }

  /** The sender has said its last, and may still wait for an answer. */
  function onEnd(): void {
    isLast = true
    if (isAnswering) return
    if (request !== undefined) answer(request, 'cut_short')
    else if (pending.length > 0) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n', 'latin1')
    else socket.end()
  }

  function onClose(): void {
    // Nobody hears the answer, but that it was refused is counted.
    if (!isAnswering && request !== undefined) service.answer(request, 'cut_short').catch(giveUp)
    isGone = true
    service.onSettled(connection)
  }

  function onTimeout(): void {
    if (!isAnswering) socket.destroy()
  }

  function giveUp(): void {
    socket.destroy()
  }
}

/** Without a listener, a sender that goes away would end the process. What it leaves is seen to when the connection is closed. */
function ignore(): void {}
