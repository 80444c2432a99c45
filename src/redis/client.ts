/**
 * The part of a client that is needed: `call` of ioredis (also of its cluster), or `sendCommand` of node-redis from version 4 (a client, or
 * a cluster, which wants to know the key besides).
 */
export type RedisClient =
  | { readonly call: (command: string, ...parameters: string[]) => Promise<unknown> }
  | { readonly sendCommand: (command: string[]) => Promise<unknown> }
  | {
      readonly masters: readonly unknown[]
      readonly sendCommand: (
        firstKey: string | undefined,
        isReadonly: boolean | undefined,
        command: string[],
      ) => Promise<unknown>
    }

/** One way to send commands, whichever client it is. */
export type RedisCommands = {
  /** The key decides which server of a cluster gets it; a command about several keys is only for keys of one slot. */
  readonly send: (command: string[], key: string | undefined) => Promise<unknown>
  readonly isCluster: boolean
}

/** Whether it has what is needed of a client. The sentinel of node-redis wants its commands in yet another way. */
export function isRedisClient(client: unknown): client is RedisClient {
  if (typeof client !== 'object' || client === null || 'getMasterNode' in client) return false
  const { call, sendCommand } = client as Partial<Record<'call' | 'sendCommand', unknown>>
  return typeof call === 'function' || typeof sendCommand === 'function'
}

/** What to give instead of something that is no client. */
export const clientAdvice = 'give a client or a cluster of ioredis or node-redis'

export function createRedisCommands(client: RedisClient): RedisCommands {
  // ioredis has a `sendCommand` too, of another shape.
  if ('call' in client) {
    const isCluster = 'isCluster' in client && client.isCluster === true
    return { isCluster, send: async ([name = '', ...parameters]) => client.call(name, ...parameters) }
  }
  if ('masters' in client) {
    return { isCluster: true, send: async (command, key) => client.sendCommand(key, false, command) }
  }
  return { isCluster: false, send: async (command) => client.sendCommand(command) }
}
