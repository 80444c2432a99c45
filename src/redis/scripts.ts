import { createHash } from 'node:crypto'
import type { RedisCommands } from './client.ts'

/** Runs one script on keys of one slot. A script runs alone: nothing comes in between. */
export type RedisScript = (keys: readonly string[], parameters: readonly string[]) => Promise<unknown>

/** Sends the script's digest, and its text only to a server that does not know it, as after a restart. */
export function createScript({ send }: RedisCommands, text: string): RedisScript {
  const digest = createHash('sha1').update(text).digest('hex')
  return async (keys, parameters) => {
    const rest = [String(keys.length), ...keys, ...parameters]
    try {
      return await send(['EVALSHA', digest, ...rest], keys[0])
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return send(['EVAL', text, ...rest], keys[0])
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}
