import type { Clock } from '../clock.ts'
import type { InboxListener } from '../events.ts'
import type { AlertStore } from '../store/alert-store.ts'
import type { UpkeepTask } from '../upkeep.ts'
import type { Provider } from '../verify/provider.ts'
import { type AlertOptions, alertSettingsOf } from './alert-options.ts'
import { alertsTask } from './alerts-task.ts'
import { createAnswerTimes } from './answer-times.ts'

export type AlertParts = {
  readonly store: AlertStore
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  readonly clock: Clock
  /** There is something for the relay. */
  readonly onMessages: () => void
  readonly onError: (error: unknown) => void
}

/** What alerts need of an inbox. Without the option: nothing. */
export type Alerts = {
  readonly tasks: readonly UpkeepTask[]
  readonly listeners: readonly InboxListener[]
  readonly flush: () => Promise<void>
}

/** For providers that do not document how long they wait. */
const usualDeadlineSeconds = 10

export function createAlerts(options: AlertOptions | undefined, parts: AlertParts): Alerts {
  if (options === undefined) return { tasks: [], listeners: [], flush: () => Promise.resolve() }
  const { store, environment, sources, clock, onMessages, onError } = parts
  const settings = alertSettingsOf(options)
  const deadlineSecondsOf = (source: string): number =>
    sources.get(source)?.facts.deadlineSeconds ?? usualDeadlineSeconds
  const answerTimes = createAnswerTimes({
    write: (answers) => store.noteAnswers(environment, answers),
    clock,
    onError,
    deadlineSecondsOf,
    near: settings.rules.deadline?.numbers['near'] ?? 1,
  })
  const names = [...sources.keys()]
  return {
    tasks: [alertsTask({ store, environment, settings, sources: names, deadlineSecondsOf, onMessages })],
    listeners: [answerTimes.hear],
    flush: answerTimes.flush,
  }
}
