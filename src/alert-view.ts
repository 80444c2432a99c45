import { isRuleName } from './alerts/alert-options.ts'
import { alertText } from './alerts/alert-text.ts'
import { type RuleName, ruleNames } from './alerts/rule-options.ts'
import { invalidOptions } from './errors.ts'
import type { ActiveMute, AlertFilter, AlertMute, AlertNote, AlertStore, Episode } from './store/alert-store.ts'

/** One episode as people look at it. */
export type Alert = Episode & {
  /** One line. */
  readonly title: string
  /** What was seen, with the latest figures. */
  readonly text: string
  /** What to do. */
  readonly advice: string
}

/** Looking at alerts, and saying that they were heard. */
export type AlertView = {
  /** Newest first. */
  readonly find: (filter?: AlertFilter) => Promise<readonly Alert[]>
  /** Somebody has taken it up: no more reminders. False if there is no such alert, or it is resolved. */
  readonly acknowledge: (id: string, note: AlertNote) => Promise<boolean>
  /** No messages until then: of a rule, a source or everything. What is still so afterwards is told then. */
  readonly mute: (mute: AlertMute & { readonly rule?: RuleName }) => Promise<void>
  /** Ends a mute. False if there is none with this id. */
  readonly unmute: (id: string, note: AlertNote) => Promise<boolean>
  /** Those that are in force. */
  readonly mutes: () => Promise<readonly ActiveMute[]>
}

export function createAlertView(store: AlertStore, environment: string, ready: () => Promise<void>): AlertView {
  return {
    async find(filter = {}) {
      await ready()
      return (await store.find(environment, filter)).map(withText)
    },
    async acknowledge(id, note) {
      refuse('The acknowledgement', mistakesInNote(note))
      await ready()
      return store.acknowledge(environment, id, note)
    },
    async mute(mute) {
      const { rule, until } = mute
      refuse('The mute', [
        ...(rule === undefined || isRuleName(rule)
          ? []
          : [`rule is ${JSON.stringify(rule)}; there are: ${ruleNames.join(', ')}.`]),
        ...(until instanceof Date && !Number.isNaN(until.getTime()) ? [] : ['until is no time: give a Date.']),
        ...mistakesInNote(mute),
      ])
      await ready()
      await store.mute(environment, mute)
    },
    async unmute(id, note) {
      refuse('The end of the mute', mistakesInNote(note))
      await ready()
      return store.unmute(environment, id, note)
    },
    async mutes() {
      await ready()
      return store.mutes(environment)
    },
  }
}

function withText(episode: Episode): Alert {
  const { title, what, advice } = alertText(episode.rule, episode.source, episode.latestFigures)
  return { ...episode, title, text: what, advice }
}

function mistakesInNote({ by, why }: AlertNote): readonly string[] {
  return [
    ...(isText(by) ? [] : ['by is empty; say who does it.']),
    ...(isText(why) ? [] : ['why is empty; say the reason, it is kept with the alert.']),
  ]
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function refuse(subject: string, mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw invalidOptions(subject, mistakes)
}
