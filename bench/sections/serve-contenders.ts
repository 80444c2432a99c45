import type { ServerContender } from '../measure-server.ts'
import { interleave, measuredIn, type Section } from '../section.ts'
import { startWarmServer, withWarmServers } from '../warm-server.ts'

/** Loads each server with each number of connections, all of them in every round. */
export function serveContenders(
  contenders: readonly ServerContender[],
  connectionsOf: (settings: Parameters<Section['run']>[0]['settings']) => readonly number[],
  nameOf: (connections: number) => string = (connections) =>
    connections === 1 ? '1 connection' : `${connections} connections`,
): Section['run'] {
  return async ({ stage, settings, say, record }) => {
    const count = settings.requestsPerSecond * settings.loadSeconds
    const file = () => stage.requests({ count, duplicateShare: 0 })
    const servers = measuredIn(settings, contenders).map((contender) => ({
      key: contender.key,
      start: () => {
        say(`warming up ${contender.title}`)
        return startWarmServer(stage, settings, contender, { connections: connectionsOf(settings), file })
      },
    }))
    await withWarmServers(servers, async (running) => {
      const runs = connectionsOf(settings).flatMap((connections) =>
        running.map(({ server }) => ({ connections, server })),
      )
      await interleave(settings, runs, async ({ connections, server }, round) => {
        const scene = nameOf(connections)
        say(`${scene}, ${server.contender.title}, round ${round}`)
        const values = await server.measure(connections, file)
        record({ scene, contender: server.contender.key, round, values })
      })
    })
  }
}
