import { measureServer, type ServerContender } from '../measure-server.ts'
import { interleave, type Section } from '../section.ts'

/** Loads each server with each number of connections, all of them in every round. */
export function serveContenders(
  contenders: readonly ServerContender[],
  connectionsOf: (settings: Parameters<Section['run']>[0]['settings']) => readonly number[],
): Section['run'] {
  return async ({ stage, settings, say, record }) => {
    const count = settings.requestsPerSecond * (settings.warmUpSeconds + settings.loadSeconds)
    const runs = connectionsOf(settings).flatMap((connections) =>
      contenders.map((contender) => ({ connections, contender })),
    )
    await interleave(settings, runs, async ({ connections, contender }, round) => {
      const scene = connections === 1 ? '1 connection' : `${connections} connections`
      say(`${scene}, ${contender.title}, round ${round}`)
      const file = stage.requests({ count, duplicateShare: 0 })
      const values = await measureServer(stage, settings, { contender, connections, file })
      record({ scene, contender: contender.key, round, values })
    })
  }
}
