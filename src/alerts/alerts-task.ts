import type { AlertStore } from '../store/alert-store.ts'
import type { UpkeepTask } from '../upkeep.ts'
import type { AlertSettings } from './alert-options.ts'
import { episodeChanges } from './episode-changes.ts'
import { findAll } from './rules.ts'

export type AlertsTaskParts = {
  readonly store: AlertStore
  readonly environment: string
  readonly settings: AlertSettings
  readonly sources: readonly string[]
  readonly deadlineSecondsOf: (source: string) => number
  /** There is something for the relay. */
  readonly onMessages: () => void
}

/** Looks at what is stored, now and then, in one process of all; what it finds becomes messages of the outbox. */
export function alertsTask(parts: AlertsTaskParts): UpkeepTask {
  const { store, environment, settings, sources, deadlineSecondsOf, onMessages } = parts
  return {
    name: 'alerts',
    everySeconds: settings.everySeconds,
    async run({ lease, mayContinue }) {
      while ((await store.countTraffic(lease)) === 'more') {
        // Half the traffic would look like silence.
        if (!mayContinue()) return { outcome: 'unfinished' }
      }
      const situation = await store.situation(environment, {
        sources,
        quietMinutes: settings.rules.silence?.numbers['minutes'],
        awaySeconds: settings.everySeconds * 3 + 300,
      })
      const findings = findAll({ situation, rules: settings.rules, deadlineSecondsOf })
      const changes = episodeChanges(findings, { situation, settings, environment })
      const messages = changes.length === 0 ? 0 : await store.change(environment, lease, changes)
      if (messages > 0) onMessages()
      return { counts: { seen: findings.length, messages } }
    },
  }
}
