import { measureWorker } from '../measure-worker.ts'
import { interleave, measuredIn, type Section } from '../section.ts'
import { graphileWorker, workerContenders } from '../workers.ts'

/** How many queued events are worked off in a second. */
export const worker: Section = {
  name: 'worker',
  title: 'The worker: queued events worked off, a one-row effect each',
  metrics: [
    { key: 'perSecond', title: 'events/s', digits: 0 },
    { key: 'node', title: 'Node µs', digits: 0 },
    { key: 'postgres', title: 'Postgres µs', digits: 0 },
    { key: 'redis', title: 'Redis µs', digits: 0 },
  ],
  contenders: workerContenders,
  baseline: graphileWorker.key,
  async run({ stage, settings, say, record }) {
    await interleave(settings, measuredIn(settings, workerContenders), async (contender, round) => {
      say(`${contender.title}, round ${round}`)
      const values = await measureWorker(stage, settings, { contender })
      record({ scene: 'one process', contender: contender.key, round, values })
    })
  },
}
