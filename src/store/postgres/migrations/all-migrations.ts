import { firstTables } from './0001-first-tables.ts'
import { effectsAndOutbox } from './0002-effects-and-outbox.ts'
import { replayedBodies } from './0003-replayed-bodies.ts'
import type { Migration } from './migration.ts'

/** In the order in which they run. */
export const allMigrations: readonly Migration[] = [firstTables, effectsAndOutbox, replayedBodies]
