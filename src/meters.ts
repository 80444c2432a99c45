import { type DeadlineMeter, type Meters, type SecretMeter, verdictOf } from './receipt/meters.ts'
import type { MeterStore } from './store/meter-store.ts'
import type { Provider } from './verify/provider.ts'

export type MeterParts = {
  readonly store: MeterStore
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  /** Resolves when the schema is there and what was counted is written. */
  readonly settled: () => Promise<void>
}

/** Reads the meters: deadlines over so many days, today included. */
export type ReadMeters = (options?: { readonly days?: number }) => Promise<Meters>

type Stored = Awaited<ReturnType<MeterStore['read']>>

export function createReadMeters({ store, environment, sources, settled }: MeterParts): ReadMeters {
  return async ({ days = 7 } = {}) => {
    await settled()
    const stored = await store.read(environment, days)
    const secrets = await Promise.all([...sources].map(([source, provider]) => secretMeter(source, provider, stored)))
    return {
      deadlines: [...sources].flatMap(([source, provider]) => deadlineMeter({ source, provider, stored, days }) ?? []),
      secrets: secrets.flatMap((meter) => meter ?? []),
    }
  }
}

function deadlineMeter({
  source,
  provider: { facts },
  stored,
  days,
}: {
  readonly source: string
  readonly provider: Provider
  readonly stored: Stored
  readonly days: number
}): DeadlineMeter | undefined {
  const { deadlineSeconds, isFailureRetried } = facts
  if (deadlineSeconds === undefined) return undefined
  const found = stored.deadlines.find((row) => row.source === source)
  const { deliveries = 0, pastHalf = 0, pastMost = 0, pastAll = 0, slowestMilliseconds = 0 } = found ?? {}
  return {
    source,
    deadlineSeconds,
    days,
    deliveries,
    pastHalf,
    pastMost,
    pastAll,
    slowestSeconds: slowestMilliseconds / 1000,
    retriesCaused: isFailureRetried ? pastAll : 0,
  }
}

/** Only what is known of the list of secrets as it is now. */
async function secretMeter(source: string, provider: Provider, stored: Stored): Promise<SecretMeter | undefined> {
  const list = provider.secretList
  if (list === undefined) return undefined
  const mark = await list.mark()
  const known = stored.secrets.filter((use) => use.source === source && use.mark === mark)
  const secrets = Array.from({ length: list.count }, (_, index) => {
    const found = known.find(({ position }) => position === index + 1)
    const { deliveries = 0, lastSeenAt, since, othersSince = 0 } = found ?? {}
    const use = { position: index + 1, deliveries, lastSeenAt, since, othersSince }
    return { ...use, verdict: verdictOf(use, list.count, stored.now) }
  })
  return { source, secrets }
}
