import { expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { createMeterLog, type MeterLog } from './meter-log.ts'
import type { MeterReading } from './meters.ts'

const list = { count: 3, mark: () => Promise.resolve('3-abcd') }

function makeLog(clock = createManualClock()): {
  readonly log: MeterLog
  readonly written: (readonly MeterReading[])[]
  readonly clock: ReturnType<typeof createManualClock>
} {
  const written: (readonly MeterReading[])[] = []
  const log = createMeterLog({
    environment: 'test',
    write: async (readings) => void written.push(readings),
    secretListOf: (source) => (source === 'shop' ? list : undefined),
    clock,
    onError: () => {},
  })
  return { log, written, clock }
}

test('counts are written together after some seconds, and not at all while nothing comes', async () => {
  const { log, written, clock } = makeLog()
  const delivery = { source: 'shop', secretIndex: 1, deadlineSeconds: 10 }
  for (const latencyMilliseconds of [1, 5000, 5001, 8001, 10_001]) log.note({ ...delivery, latencyMilliseconds })
  log.note({ source: 'tenants', secretIndex: 0, latencyMilliseconds: 1, deadlineSeconds: undefined })

  await clock.advance(9999)
  expect(written).toEqual([])
  await clock.advance(1)
  await clock.advance(3_600_000)

  expect(written).toEqual([
    [
      {
        environment: 'test',
        source: 'shop',
        mark: '3-abcd',
        bySecret: [0, 5, 0],
        deadline: { deliveries: 5, pastHalf: 3, pastMost: 2, pastAll: 1, slowestMilliseconds: 10_001 },
      },
      { environment: 'test', source: 'tenants', mark: undefined, bySecret: [], deadline: undefined },
    ],
  ])
})

test('a write that fails is told, and does not stop the next', async () => {
  const clock = createManualClock()
  const told: unknown[] = []
  let writes = 0
  const log = createMeterLog({
    environment: 'test',
    write: async () => {
      writes += 1
      if (writes === 1) throw new Error('away')
    },
    secretListOf: () => list,
    clock,
    onError: (error) => told.push(error),
  })
  const delivery = { source: 'shop', secretIndex: 0, latencyMilliseconds: 1, deadlineSeconds: undefined }

  log.note(delivery)
  await log.flush()
  log.note(delivery)
  await log.flush()

  expect(told).toEqual([new Error('away')])
  expect(writes).toBe(2)
})
