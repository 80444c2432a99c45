import type { Check } from './check.ts'
import { autovacuumCheck } from './checks/autovacuum.ts'
import { bloatCheck } from './checks/bloat.ts'
import { clockCheck } from './checks/clock.ts'
import { connectionsCheck } from './checks/connections.ts'
import { deadLettersCheck } from './checks/dead-letters.ts'
import { durabilityCheck } from './checks/durability.ts'
import { environmentCheck } from './checks/environment.ts'
import { indexesCheck } from './checks/indexes.ts'
import { leasesCheck } from './checks/leases.ts'
import { migrationsCheck } from './checks/migrations.ts'
import { oldSnapshotsCheck } from './checks/old-snapshots.ts'
import { partitionsCheck } from './checks/partitions.ts'
import { poolerCheck } from './checks/pooler.ts'
import { redisCheck } from './checks/redis.ts'
import { secretsCheck } from './checks/secrets.ts'
import { workersCheck } from './checks/workers.ts'
import { writableCheck } from './checks/writable.ts'

/** What keeps events from being accepted first, then what keeps them from being processed, then what makes it slow. */
export const allChecks: readonly Check[] = [
  writableCheck,
  migrationsCheck,
  indexesCheck,
  durabilityCheck,
  secretsCheck,
  clockCheck,
  environmentCheck,
  workersCheck,
  leasesCheck,
  deadLettersCheck,
  connectionsCheck,
  poolerCheck,
  redisCheck,
  partitionsCheck,
  oldSnapshotsCheck,
  autovacuumCheck,
  bloatCheck,
]
