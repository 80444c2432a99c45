import { measureServer } from '../measure-server.ts'
import { interleave, requestMetrics, type Section } from '../section.ts'
import { oncehookInline, seedInline } from '../servers.ts'

const contenders = [seedInline, oncehookInline]

/** The handler's row and the record of the event in one transaction, before the answer. */
export const inline: Section = {
  name: 'inline',
  title: 'Inline: a one-row effect before the answer',
  metrics: requestMetrics,
  contenders,
  baseline: seedInline.key,
  async run({ stage, settings, say, record }) {
    const count = settings.requestsPerSecond * (settings.warmUpSeconds + settings.loadSeconds)
    const runs = settings.inlineConnections.flatMap((connections) =>
      contenders.map((contender) => ({ connections, contender })),
    )
    await interleave(settings, runs, async ({ connections, contender }, round) => {
      const scene = `${connections} connections`
      say(`${scene}, ${contender.title}, round ${round}`)
      const file = stage.requests({ count, duplicateShare: 0 })
      const values = await measureServer(stage, settings, { contender, connections, file })
      record({ scene, contender: contender.key, round, values })
    })
  },
}
