import { interleave, requestMetrics, type Section } from '../section.ts'
import { oncehookQueued, oncehookRemembering } from '../servers.ts'
import { startWarmServer, withWarmServers } from '../warm-server.ts'

const shares = [0, 0.5, 0.95]
const connections = 64

/** By itself, and with a memory in front. */
const scenes = [
  { scene: `${connections} connections`, contender: oncehookQueued },
  { scene: `${connections} connections, memoryCache()`, contender: oncehookRemembering },
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
    // Servers remember what they have seen, and the tables are emptied between the rounds.
    const requests = (duplicateShare: number) => stage.requests({ count, duplicateShare, isUnseen: true })
    const servers = scenes.flatMap(({ scene, contender }) =>
      settings.duplicateShares.map((share) => ({
        key: { scene, share },
        start: () => {
          say(`warming up for ${share * 100} %, ${scene}`)
          return startWarmServer(stage, settings, contender, {
            connections: [connections],
            file: () => requests(share),
          })
        },
      })),
    )
    await withWarmServers(servers, async (running) => {
      await interleave(settings, running, async ({ key: { scene, share }, server }, round) => {
        say(`${share * 100} %, ${scene}, round ${round}`)
        const values = await server.measure(connections, () => requests(share))
        record({ scene, contender: keyOf(share), round, values })
      })
    })
  },
}

function keyOf(share: number): string {
  return `duplicates-${share * 100}`
}
