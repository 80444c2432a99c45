import type { Ledger } from './ledger.ts'
import type { CallCaptures } from './remote-captures.ts'

/** What a running receiver does for commands in other terminals. */
export type Control = Ledger & {
  /** How many effects of the demo handlers there are for these events. Undefined where the handlers are somebody's own. */
  readonly countEffects: (source: string, eventIds: readonly string[]) => Promise<number | undefined>
  readonly captures: CallCaptures
}

/** Where a running receiver is. Kept in a file that only its owner can read. */
export type ControlAddress = {
  readonly processId: number
  /** A Unix socket, or a named pipe on Windows: no port, so nothing of it can be reached from outside. */
  readonly socket: string
  readonly token: string
  /** Where it takes webhooks. */
  readonly url: string
  /** Whether its store is the embedded one of this directory. */
  readonly store: 'embedded' | 'postgres'
}

export type Verb = keyof Control

export const verbs: readonly Verb[] = [
  'find',
  'timeline',
  'body',
  'redactions',
  'replay',
  'hold',
  'release',
  'preview',
  'findAlerts',
  'acknowledgeAlert',
  'muteAlerts',
  'findMutes',
  'retryPatterns',
  'health',
  'inspect',
  'durability',
  'datastore',
  'countEffects',
  'captures',
]

/** Where a receiver tells what happens, as long as somebody listens. */
export const eventsPath = '/events'

/** What goes over the socket, with times and bytes as text. */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member instanceof Uint8Array ? { [bytesMark]: Buffer.from(member).toString('base64') } : bytesOfBuffer(member),
  )
}

/** Reads what `encode` wrote: fields that hold times are times again. */
export function decode(text: string): unknown {
  return JSON.parse(text, (name, member: unknown) => {
    if (typeof member === 'string' && timeFields.has(name)) return new Date(member)
    if (typeof member === 'object' && member !== null && bytesMark in member) {
      return Buffer.from(String(member[bytesMark]), 'base64')
    }
    return member
  })
}

const bytesMark = '$bytes'

/** A Buffer turns itself into a list of numbers before anybody is asked. */
function bytesOfBuffer(member: unknown): unknown {
  if (typeof member !== 'object' || member === null || !('type' in member) || !('data' in member)) return member
  if (member.type !== 'Buffer' || !Array.isArray(member.data)) return member
  return { [bytesMark]: Buffer.from(member.data as readonly number[] as number[]).toString('base64') }
}

const timeFields = new Set([
  'createdAt',
  'lastAt',
  'at',
  'occurredAt',
  'receivedAt',
  'processedAt',
  'heldAt',
  'nextAttemptAt',
  'startedAt',
  'endedAt',
  'receivedAfter',
  'receivedBefore',
  'since',
  'until',
  'openedAt',
  'lastSeenAt',
  'resolvedAt',
  'toldAt',
  'remindedAt',
])
