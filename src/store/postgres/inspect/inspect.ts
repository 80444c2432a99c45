import type { Clock } from '../../../clock.ts'
import { describeError } from '../../../errors.ts'
import type { Inspection, InspectOptions } from '../../inspection.ts'
import type { Database } from '../database.ts'
import type { SqlClient } from '../sql-client.ts'
import { listen } from '../wake.ts'
import { bodyPartitionFacts } from './body-partitions.ts'
import { cleanupHolders } from './cleanup-holders.ts'
import { connectionFacts } from './connections.ts'
import { expiredLeases } from './expired-leases.ts'
import { indexFacts } from './indexes.ts'
import { environmentsOf, migrationFacts } from './migration-facts.ts'
import { serverFacts, wayToServer } from './server.ts'
import { tableFacts } from './tables.ts'

export type InspectParts<Tx> = {
  readonly client: SqlClient<Tx>
  readonly database: Database
  readonly name: string
  readonly schemaName: string
  readonly clock: Clock
}

/** Everything that can be read is read: what one role may not see, or an old server does not have, hides nothing else. */
export async function inspect<Tx>(parts: InspectParts<Tx>, options: InspectOptions): Promise<Inspection> {
  const { client, database, name, schemaName, clock } = parts
  const { environment, now = clock.now } = options
  const unread: { what: string; reason: string }[] = []
  async function attempt<Facts>(what: string, read: () => Promise<Facts>, otherwise: Facts): Promise<Facts> {
    try {
      return await read()
    } catch (error) {
      unread.push({ what, reason: describeError(error) })
      return otherwise
    }
  }

  const server = await serverFacts(database.query, now)
  const migrations = await migrationFacts(database)
  const isThere = migrations.applied > 0
  async function ofTables<Facts>(what: string, read: () => Promise<Facts>, otherwise: Facts): Promise<Facts> {
    return isThere ? attempt(what, read, otherwise) : otherwise
  }
  return {
    store: name,
    schemaName,
    server: {
      ...server,
      way: await attempt('the way to the server', () => wayToServer(client), 'unknown'),
      wakeUps: await wakeUps(parts),
    },
    migrations,
    environments: await ofTables('environments', () => environmentsOf(database), []),
    indexes: await ofTables('indexes', () => indexFacts(database), { missing: [], invalid: [] }),
    tables: await ofTables('tables', () => tableFacts(database), []),
    holders: await attempt('old transactions and slots', () => cleanupHolders(database), []),
    connections: await attempt('connections', () => connectionFacts(database), { maximum: 0, used: 0, listeners: 0 }),
    bodies: await ofTables('partitions of bodies', () => bodyPartitionFacts(database), {
      missingDays: [],
      rowsInDefault: 0,
    }),
    leases: await ofTables('leases', () => expiredLeases(database, environment), []),
    unread,
  }
}

/** As a worker finds out at its start: whether a notification arrives. A standby cannot listen, and nothing is to be heard there. */
async function wakeUps<Tx>({ client, schemaName, clock }: InspectParts<Tx>): Promise<'listening' | 'alone' | 'poll'> {
  const { kind, stop } = await listen(client, { schema: schemaName, clock, onWake: () => {} })
  await stop()
  return kind
}
