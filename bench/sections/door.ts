import { measureServer } from '../measure-server.ts'
import { interleave, requestMetrics, type Section } from '../section.ts'
import { doesNothing, oncehookQueued, seedQueued, verifiesAndParses } from '../servers.ts'

const contenders = [doesNothing, verifiesAndParses, seedQueued, oncehookQueued]

/** How many deliveries are accepted in a second, each durable before its answer. */
export const door: Section = {
  name: 'door',
  title: 'The door: deliveries accepted, distinct events of 2 KB',
  metrics: requestMetrics,
  contenders,
  baseline: seedQueued.key,
  async run({ stage, settings, say, record }) {
    const count = settings.requestsPerSecond * (settings.warmUpSeconds + settings.loadSeconds)
    const runs = settings.doorConnections.flatMap((connections) =>
      contenders.map((contender) => ({ connections, contender })),
    )
    await interleave(settings, runs, async ({ connections, contender }, round) => {
      const scene = connections === 1 ? '1 connection' : `${connections} connections`
      say(`${scene}, ${contender.title}, round ${round}`)
      const file = stage.requests({ count, duplicateShare: 0 })
      const values = await measureServer(stage, settings, { contender, connections, file })
      record({ scene, contender: contender.key, round, values })
    })
  },
}
