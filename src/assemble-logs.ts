import type { Clock } from './clock.ts'
import type { EventHub } from './events.ts'
import { createDeliveryLog, type DeliveryLog } from './receipt/delivery-log.ts'
import { createMeterLog, type MeterLog } from './receipt/meter-log.ts'
import { createTrafficLog } from './receipt/traffic-log.ts'
import type { Store } from './store/store.ts'
import type { Provider } from './verify/provider.ts'

export type LogParts<Tx> = {
  readonly store: Store<Tx>
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  readonly hub: EventHub
  readonly clock: Clock
  readonly report: (message: string) => (error: unknown) => void
  /** Others that count in memory. */
  readonly others: readonly { readonly flush: () => Promise<void> }[]
}

/** All that is counted in memory and written together now and then, with one way to write it at once. */
export function assembleLogs<Tx>(parts: LogParts<Tx>): {
  readonly deliveryLog: DeliveryLog
  readonly meterLog: MeterLog
} {
  const { store, environment, sources, hub, clock, report, others } = parts
  const duplicatesAndRefusals = createDeliveryLog({
    write: store.noteDeliveries,
    clock,
    onError: report('The delivery log could not be written.'),
  })
  const meterLog = createMeterLog({
    environment,
    write: store.meters.add,
    secretListOf: (source) => sources.get(source)?.secretList,
    clock,
    onError: report('The meters could not be written.'),
  })
  const trafficLog = createTrafficLog({
    write: (tallies) => store.overview.addTraffic(environment, tallies),
    clock,
    onError: report('What happened could not be counted.'),
  })
  hub.subscribe(trafficLog.hear)
  const all = [duplicatesAndRefusals, meterLog, trafficLog, ...others]
  const flush = async (): Promise<void> => {
    await Promise.all(all.map((log) => log.flush()))
  }
  return { deliveryLog: { ...duplicatesAndRefusals, flush }, meterLog }
}
