import { describeBytes } from '../amounts.ts'
import type { Check, Finding } from '../check.ts'

const nearlyFull = 0.95

/** What a Redis has to keep depends on what it is for: as a cache it may forget, as a queue or as the only store it may not. */
export const redisCheck: Check = {
  name: 'redis',
  run({ redis }) {
    if (redis === undefined) return []
    const { facts, use } = redis
    if (facts.kind === 'unreachable') {
      return [
        {
          severity: 'error',
          fact: `Redis could not be asked: ${facts.reason}.`,
          cure: 'See whether it runs, whether the address and the password are right, and whether this machine may reach it.',
        },
      ]
    }
    const { role, maximumBytes, usedBytes, evictionPolicy, isAppendOnly, appendFsync } = facts
    const isFull = maximumBytes > 0 && usedBytes > maximumBytes * nearlyFull
    const evicts = maximumBytes > 0 && !['noeviction', 'unknown'].includes(evictionPolicy)
    const findings: (Finding | false)[] = [
      role === 'slave' && {
        severity: 'error',
        fact: 'This Redis is a replica, which refuses writes.',
        cure: 'Connect to its master.',
      },
      isFull &&
        evictionPolicy === 'noeviction' && {
          severity: use === 'cache' ? 'warning' : 'error',
          fact: `Redis is full (${describeBytes(usedBytes)} of ${describeBytes(maximumBytes)}) and takes nothing new.`,
          cure:
            use === 'cache'
              ? 'Give it more memory, or set maxmemory-policy to allkeys-lru, which a cache can live with.'
              : 'Give it more memory, and see who fills it.',
        },
    ]
    if (use === 'messages') {
      findings.push(
        evicts && {
          severity: 'error',
          fact: `Redis throws keys away when it is full (maxmemory-policy ${evictionPolicy}): messages that nobody has read yet are lost.`,
          cure: 'Set maxmemory-policy to noeviction, and give what may be thrown away a Redis of its own.',
        },
        !isAppendOnly && {
          severity: 'error',
          fact: 'Redis keeps no append-only file: a crash loses all messages since its last snapshot.',
          cure: 'Set appendonly to yes, and appendfsync to always.',
        },
        isAppendOnly &&
          appendFsync !== undefined &&
          appendFsync !== 'always' && {
            severity: 'warning',
            fact: `Redis syncs its file ${appendFsync === 'everysec' ? 'once a second' : 'when the system likes'}: a power cut loses what was sent since.`,
            cure: 'Set appendfsync to always, or accept that loss knowingly.',
          },
      )
    }
    return findings.filter((finding) => finding !== false)
  },
}
