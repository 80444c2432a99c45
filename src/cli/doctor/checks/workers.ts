import { describeDuration } from '../../duration.ts'
import { printable } from '../../printable.ts'
import { plural } from '../../start-texts.ts'
import type { Check, Examined } from '../check.ts'

export const workersCheck: Check = {
  name: 'workers',
  run(examined) {
    const { health, limits, inspection } = examined
    const expired = new Map(inspection.leases.map(({ table, count }) => [table, count]))
    const events = (health?.sources ?? []).map(({ source, ...backlog }) => ({
      what: 'event',
      of: 'of',
      name: source,
      ...backlog,
    }))
    const messages = (health?.targets ?? []).map(({ target, ...backlog }) => ({
      what: 'message',
      of: 'to',
      name: target,
      ...backlog,
    }))
    return [...withoutExpired(events, expired.get('queue')), ...withoutExpired(messages, expired.get('outbox'))]
      .filter(({ oldestDueSeconds = 0 }) => oldestDueSeconds >= limits.dueSeconds)
      .map(({ what, of, name, due, oldestDueSeconds = 0 }) => ({
        severity: 'error' as const,
        fact: `${plural(due, what)} ${of} ${printable(name)} ${due === 1 ? 'is' : 'are'} due, the first for ${describeDuration(oldestDueSeconds * 1000)}${whoListens(examined)}.`,
        cure:
          inspection.connections.listeners > 0
            ? `See that the workers have ${what === 'event' ? 'a handler for' : 'the target'} ${printable(name)}, and raise worker.concurrency or start more of them.`
            : 'Start a worker: call inbox.start() in a process that stays, or inbox.drain() from a cron route.',
      }))
  },
}

/** What only waits for a dead worker's lease to be taken over is told by the check of leases. */
function withoutExpired<Item extends { readonly due: number }>(
  items: readonly Item[],
  expired: number = 0,
): readonly Item[] {
  const due = items.reduce((sum, item) => sum + item.due, 0)
  return due > expired ? items : []
}

function whoListens({ inspection: { connections, server } }: Examined): string {
  if (server.wakeUps !== 'listening') return ''
  if (connections.listeners > 0)
    return `, although ${plural(connections.listeners, 'worker')} listen${connections.listeners === 1 ? 's' : ''}`
  return server.seesAllSessions ? ', and no worker listens' : ', and no worker that this role can see listens'
}
