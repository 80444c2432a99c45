import { firstTables } from './0001-first-tables.ts'
import { effectsAndOutbox } from './0002-effects-and-outbox.ts'
import { replayedBodies } from './0003-replayed-bodies.ts'
import { recordFunction } from './0004-record-function.ts'
import { failedFirstAttempts } from './0005-failed-first-attempts.ts'
import { upkeep } from './0006-upkeep.ts'
import { failedMessages } from './0007-failed-messages.ts'
import { recovery } from './0008-recovery.ts'
import { workFunctions } from './0009-work-functions.ts'
import { traces } from './0010-traces.ts'
import { alerts } from './0011-alerts.ts'
import { meters } from './0012-meters.ts'
import { retention } from './0013-retention.ts'
import { histories } from './0014-histories.ts'
import { eventKeys } from './0015-event-keys.ts'
import { recordOne } from './0016-record-one.ts'
import { shadow } from './0017-shadow.ts'
import { admin } from './0018-admin.ts'
import { trafficMinutes } from './0019-traffic-minutes.ts'
import { captures } from './0020-captures.ts'
import { datastore } from './0021-datastore.ts'
import { automations } from './0022-automations.ts'
import { fewerChecks } from './0023-fewer-checks.ts'
import { lighterWork } from './0024-lighter-work.ts'
import { lighterInline } from './0025-lighter-inline.ts'
import { askFirst } from './0026-ask-first.ts'
import { lighterBatches } from './0027-lighter-batches.ts'
import { recordAlike } from './0028-record-alike.ts'
import { recordPlain } from './0029-record-plain.ts'
import type { Migration } from './migration.ts'

/** In the order in which they run. */
export const allMigrations: readonly Migration[] = [
  firstTables,
  effectsAndOutbox,
  replayedBodies,
  recordFunction,
  failedFirstAttempts,
  upkeep,
  failedMessages,
  recovery,
  workFunctions,
  traces,
  alerts,
  meters,
  retention,
  histories,
  eventKeys,
  recordOne,
  shadow,
  admin,
  trafficMinutes,
  captures,
  datastore,
  automations,
  fewerChecks,
  lighterWork,
  lighterInline,
  askFirst,
  lighterBatches,
  recordAlike,
  recordPlain,
]
