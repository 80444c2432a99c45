import { requestMetrics, type Section } from '../section.ts'
import {
  bareDoor,
  doesNothing,
  oncehookNodeHandler,
  oncehookQueued,
  sameRows,
  sameRowsPlain,
  seedQueued,
  verifiesAndParses,
} from '../servers.ts'
import { serveContenders } from './serve-contenders.ts'

const contenders = [
  doesNothing,
  verifiesAndParses,
  bareDoor,
  sameRows,
  sameRowsPlain,
  seedQueued,
  oncehookNodeHandler,
  oncehookQueued,
]

/** How many deliveries are accepted in a second, each durable before its answer. */
export const door: Section = {
  name: 'door',
  title: 'The door: deliveries accepted, distinct events of 2 KB',
  metrics: requestMetrics,
  contenders,
  baseline: seedQueued.key,
  run: serveContenders(contenders, ({ doorConnections }) => doorConnections),
}
