import { interleave, requestMetrics, type Section } from '../section.ts'
import { oncehookQueued } from '../servers.ts'
import { startWarmServer, withWarmServers } from '../warm-server.ts'

const shares = [0, 0.5, 0.95]
const connections = 64

/** What a storm of redeliveries costs. */
export const duplicates: Section = {
  name: 'duplicates',
  title: 'Duplicates: Oncehook, queued, when a share of the deliveries came before',
  metrics: requestMetrics,
  contenders: shares.map((share) => ({ key: keyOf(share), title: `${share * 100} % duplicates` })),
  baseline: keyOf(0),
  async run({ stage, settings, say, record }) {
    const count = settings.requestsPerSecond * settings.loadSeconds
    const requests = (share: number) => stage.requests({ count, duplicateShare: share })
    const servers = shares.map((share) => ({
      key: share,
      start: () => {
        say(`warming up for ${share * 100} %`)
        return startWarmServer(stage, settings, oncehookQueued, () => requests(share))
      },
    }))
    await withWarmServers(servers, async (running) => {
      await interleave(settings, running, async ({ key: share, server }, round) => {
        say(`${share * 100} %, round ${round}`)
        const values = await server.measure(connections, requests(share))
        record({ scene: `${connections} connections`, contender: keyOf(share), round, values })
      })
    })
  },
}

function keyOf(share: number): string {
  return `duplicates-${share * 100}`
}
