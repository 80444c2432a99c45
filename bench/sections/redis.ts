import { measureServer } from '../measure-server.ts'
import { interleave, requestMetrics, type Section } from '../section.ts'
import { oncehookQueued, oncehookRedis } from '../servers.ts'

const connections = 64
const contenders = [oncehookQueued, oncehookRedis]

/** What Redis in front spares the database, and what it costs. */
export const redis: Section = {
  name: 'redis',
  isFullOnly: true,
  title: 'Redis in front: Oncehook, queued, with and without it',
  metrics: [...requestMetrics, { key: 'redis', title: 'Redis µs', digits: 0 }],
  contenders,
  baseline: oncehookQueued.key,
  async run({ stage, settings, say, record }) {
    const count = settings.requestsPerSecond * (settings.warmUpSeconds + settings.loadSeconds)
    const runs = settings.duplicateShares.flatMap((share) => contenders.map((contender) => ({ share, contender })))
    await interleave(settings, runs, async ({ share, contender }, round) => {
      const scene = `${share * 100} % duplicates, ${connections} connections`
      say(`${scene}, ${contender.title}, round ${round}`)
      const file = stage.requests({ count, duplicateShare: share })
      const values = await measureServer(stage, settings, { contender, connections, file })
      record({ scene, contender: contender.key, round, values })
    })
  },
}
