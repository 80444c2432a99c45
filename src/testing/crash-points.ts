/**
 * Where a process can be made to end. `record`: a queued event is durable, nobody was answered. `claim`: a worker has taken the event, its
 * handlers have not run. `handler`: the handler has returned, nothing is committed; its connection is cut. `commit`: all is committed,
 * nobody was answered. `send`: a target has taken a message, the outbox does not know yet.
 */
export type CrashPoint = 'record' | 'claim' | 'handler' | 'commit' | 'send'

export const crashPoints: readonly CrashPoint[] = ['record', 'claim', 'handler', 'commit', 'send']
