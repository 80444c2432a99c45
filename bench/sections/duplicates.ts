import { interleave, requestMetrics, type Section } from '../section.ts'
import { oncehookQueued, oncehookRemembering } from '../servers.ts'
import { startWarmServer, withWarmServers } from '../warm-server.ts'

const shares = [0, 0.5, 0.95]
const connections = 64

/** By itself, and with a memory in front. */
const scenes = [
  { scene: `${connections} connections`, contender: oncehookQueued, remembers: false },
  { scene: `${connections} connections, memoryCache()`, contender: oncehookRemembering, remembers: true },
]

/** What a storm of redeliveries costs. */
export const duplicates: Section = {
  name: 'duplicates',
  title: 'Duplicates: Oncehook, queued, when a share of the deliveries came before',
  metrics: requestMetrics,
  contenders: shares.map((share) => ({ key: keyOf(share), title: `${share * 100} % duplicates` })),
  baseline: keyOf(0),
  async run({ stage, settings, say, record }) {
    const count = settings.requestsPerSecond * settings.loadSeconds
    const requests = (duplicateShare: number, isUnseen: boolean) => stage.requests({ count, duplicateShare, isUnseen })
    const servers = scenes.flatMap(({ scene, contender, remembers }) =>
      settings.duplicateShares.map((share) => ({
        key: { scene, share, remembers },
        start: () => {
          say(`warming up for ${share * 100} %, ${scene}`)
          return startWarmServer(stage, settings, contender, {
            connections: [connections],
            file: () => requests(share, remembers),
          })
        },
      })),
    )
    await withWarmServers(servers, async (running) => {
      await interleave(settings, running, async ({ key: { scene, share, remembers }, server }, round) => {
        say(`${share * 100} %, ${scene}, round ${round}`)
        const values = await server.measure(connections, () => requests(share, remembers))
        record({ scene, contender: keyOf(share), round, values })
      })
    })
  },
}

function keyOf(share: number): string {
  return `duplicates-${share * 100}`
}
