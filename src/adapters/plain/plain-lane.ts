import type { Socket } from 'node:net'
import { type PlainConnection, type PlainService, servePlainly } from './plain-connection.ts'

/** A faster way for plain requests, in front of `node:http`. */
export type PlainLane = {
  /** Serves a connection for as long as its requests are plain. */
  readonly take: (socket: Socket) => void
  /** Ends the connections on which nothing was asked, and the others with their next answer. */
  readonly finish: () => void
  /** Whether a body is being read, or a request answered. */
  readonly isBusy: () => boolean
  /** Cuts off what is left. */
  readonly destroy: () => void
}

export type PlainLaneOptions = Omit<PlainService, 'onUnfinished' | 'onSettled'> & {
  /** Told when nothing is being read or answered any more, once it was told to finish. */
  readonly onIdle: () => void
}

/** A request that has not come within this time is one for `node:http`, which knows what to do about late senders. */
const unfinishedMilliseconds = 250

/**
 * `node:http` takes half of the time of a delivery for what hardly a webhook needs: streams, chunks, trailers, upgrades. So requests that
 * are written in the plainest way are read and answered here. Any other is handed over, with its connection, byte for byte: what is right
 * and what is wrong about it is decided in one place.
 */
export function createPlainLane({ onIdle, ...given }: PlainLaneOptions): PlainLane {
  const connections = new Set<PlainConnection>()
  const unfinished = new Set<PlainConnection>()
  let timer: NodeJS.Timeout | undefined
  let isFinishing = false

  const service: PlainService = { ...given, onUnfinished, onSettled }

  return {
    take(socket) {
      connections.add(servePlainly(socket, service))
    },
    finish() {
      isFinishing = true
      clearTimeout(timer)
      for (const connection of connections) {
        connection.finish()
        if (!isActive(connection)) connection.socket.destroy()
      }
    },
    isBusy,
    destroy() {
      for (const { socket } of connections) socket.destroy()
    },
  }

  function isBusy(): boolean {
    for (const connection of connections) if (isActive(connection)) return true
    return false
  }

  function onUnfinished(connection: PlainConnection): void {
    unfinished.add(connection)
    // Nothing is handed over at the end: the grace is all that is left for it.
    if (!isFinishing) timer ??= setTimeout(handOverLate, unfinishedMilliseconds).unref()
  }

  /** Some have been waiting for less than that, which does no harm. */
  function handOverLate(): void {
    timer = undefined
    for (const connection of unfinished) {
      const state = connection.state()
      if (state === 'in_head' || state === 'in_body') connection.handOver()
    }
    unfinished.clear()
  }

  function onSettled(connection: PlainConnection): void {
    if (connection.state() === 'gone') {
      connections.delete(connection)
      unfinished.delete(connection)
    }
    if (isFinishing && !isBusy()) onIdle()
  }
}

function isActive(connection: PlainConnection): boolean {
  const state = connection.state()
  return state === 'in_body' || state === 'answering'
}
