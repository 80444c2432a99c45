import { measureServer } from '../measure-server.ts'
import { interleave, requestMetrics, type Section } from '../section.ts'
import { oncehookQueued } from '../servers.ts'

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
    const count = settings.requestsPerSecond * (settings.warmUpSeconds + settings.loadSeconds)
    await interleave(settings, shares, async (share, round) => {
      say(`${share * 100} %, round ${round}`)
      const file = stage.requests({ count, duplicateShare: share })
      const values = await measureServer(stage, settings, { contender: oncehookQueued, connections, file })
      record({ scene: `${connections} connections`, contender: keyOf(share), round, values })
    })
  },
}

function keyOf(share: number): string {
  return `duplicates-${share * 100}`
}
