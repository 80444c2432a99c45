import type { Clock } from '../clock.ts'
import type { InboxListener } from '../events.ts'
import type { RetentionStore } from '../store/retention-store.ts'
import type { UpkeepTask } from '../upkeep.ts'
import type { Provider } from '../verify/provider.ts'
import { bodiesTask } from './bodies-task.ts'
import { keepEverythingTask, ledgerTask } from './ledger-task.ts'
import { type RetentionOptions, retentionSettings } from './retention-options.ts'

export type RetentionParts = {
  readonly store: RetentionStore
  readonly options: RetentionOptions | 'off' | undefined
  readonly sources: ReadonlyMap<string, Provider>
  readonly environment: string
  readonly clock: Clock
  readonly emit: InboxListener
}

/** What upkeep does for retention. Partitions are made ahead even where nothing is ever removed. */
export function retentionTasks({ options = {}, sources, ...parts }: RetentionParts): readonly UpkeepTask[] {
  const settings = retentionSettings(options === 'off' ? {} : options, sources)
  const ledger = options === 'off' ? keepEverythingTask(parts) : ledgerTask({ ...parts, settings })
  const forgotten = options === 'off' ? parts.environment : undefined
  return [bodiesTask({ ...parts, settings, forgotten }), ledger]
}
