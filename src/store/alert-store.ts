import type { UpkeepLease } from './upkeep-store.ts'

/** What alerts are made from, and what becomes of them. */
export type AlertStore = {
  /**
   * Counts what has come since the last time, up to a bounded number of rows: each row once, however often and by whomever this is called,
   * and none that is still being written. `more`: there is more to count. Nothing if the lease was lost.
   */
  readonly countTraffic: (lease: UpkeepLease) => Promise<'caught_up' | 'more'>
  /** Adds to what is known of the answers of this moment. */
  readonly noteAnswers: (environment: string, answers: readonly AnswerTally[]) => Promise<void>
  /** All that rules look at, by the database's clock. */
  readonly situation: (environment: string, question: SituationQuestion) => Promise<AlertSituation>
  /**
   * Writes changes of episodes together with their messages, all or nothing. A change that another process made first is passed over,
   * with its messages: each episode is opened once, told once and resolved once. Answers with how many messages were written.
   */
  readonly change: (environment: string, lease: UpkeepLease, changes: readonly EpisodeChange[]) => Promise<number>

  readonly find: (environment: string, filter: AlertFilter) => Promise<readonly Episode[]>
  /** False if there is no such alert, or it is resolved. */
  readonly acknowledge: (environment: string, id: string, note: AlertNote) => Promise<boolean>
  readonly mute: (environment: string, mute: AlertMute) => Promise<void>
  /** Ends a mute that is in force. False if there is none with this id. */
  readonly unmute: (environment: string, id: string, note: AlertNote) => Promise<boolean>
  /** Those that are in force. */
  readonly mutes: (environment: string) => Promise<readonly ActiveMute[]>
}

/** Answers of one source, counted in a process. */
export type AnswerTally = {
  readonly source: string
  readonly answered: number
  /** Nearer to the provider's deadline than is safe. */
  readonly near: number
  readonly late: number
  readonly slowestMilliseconds: number
}

export type SituationQuestion = {
  readonly sources: readonly string[]
  /** A source that is quiet for so long is looked at more closely. Undefined: none is. */
  readonly quietMinutes: number | undefined
  /** Nobody has evaluated for longer than this: then silence is counted from now on. */
  readonly awaySeconds: number
}

/** What happened to the events of one source in some time. */
export type TrafficSums = {
  /** Events that came for the first time. */
  readonly events: number
  /** First runs of handlers: events that have any, and inline runs that were rolled back. */
  readonly handled: number
  /** First runs that failed. */
  readonly failed: number
  /** Deliveries of what was known. */
  readonly copies: number
  readonly answered: number
  readonly near: number
  readonly late: number
  readonly slowestMilliseconds: number
  /** Refused for their signature. */
  readonly forged: number
}

export type SourceSituation = {
  readonly source: string
  /** The last ten to fifteen minutes. */
  readonly window: TrafficSums
  /** The hours before, the latest first; those without traffic are left out. */
  readonly hours: readonly TrafficSums[]
  /** The hour around this time of this weekday in the weeks before, the latest first; those without traffic are left out. */
  readonly weeks: readonly TrafficSums[]
  readonly silence: Silence | undefined
}

/** A source that has not been heard of for a while. */
export type Silence = {
  readonly minutes: number
  readonly lastHeardAt: Date
  /** For how long it has been listened to. */
  readonly knownDays: number
  /** How many deliveries came in the same time of the weeks before. */
  readonly usual: readonly number[]
  /** In how many stretches of five minutes it was heard in the last four weeks. */
  readonly heard: number
  /** The longest it was quiet in that time, but for now. */
  readonly longestMinutes: number
}

export type AlertSituation = {
  readonly at: Date
  readonly sources: readonly SourceSituation[]
  /** What is due and not done, undefined if nothing is. */
  readonly lag: Lag | undefined
  /** Dead letters of the last fifteen minutes. */
  readonly deadLetters: readonly { readonly source: string; readonly count: number }[]
  /** Messages that could not be sent, of the same time. */
  readonly deadMessages: readonly { readonly source: string; readonly count: number }[]
  readonly upkeep: readonly LateTask[]
  readonly open: readonly Episode[]
  readonly mutes: readonly AlertMute[]
}

export type Lag = {
  readonly seconds: number
  /** Of the one that has been due for longest. */
  readonly source: string
  /** Up to 10,000. */
  readonly waiting: number
}

/** A task of upkeep that was not done when it was due, or was begun and has not been done since. */
export type LateTask = { readonly task: string; readonly lateSeconds: number }

/** One episode: something was wrong from then to then. */
export type Episode = {
  readonly id: string
  readonly environment: string
  readonly rule: string
  /** Undefined where the rule looks at all sources together. */
  readonly source: string | undefined
  readonly openedAt: Date
  readonly lastSeenAt: Date
  readonly resolvedAt: Date | undefined
  /** When the first message of it was written; undefined if it was muted. */
  readonly toldAt: Date | undefined
  readonly reminders: number
  readonly remindedAt: Date | undefined
  readonly openingFigures: AlertFigures
  readonly latestFigures: AlertFigures
  readonly acknowledged: (AlertNote & { readonly at: Date }) | undefined
}

/** What was measured, by name. */
export type AlertFigures = Readonly<Record<string, number | string>>

/** Who did it, and why. */
export type AlertNote = { readonly by: string; readonly why: string }

/** Which episodes are meant. Everything given must hold. */
export type AlertFilter = {
  readonly id?: string
  readonly rule?: string
  readonly source?: string
  readonly isOpen?: boolean
  /** Open, or resolved after that. */
  readonly since?: Date
  /** Newest first. Default 50. */
  readonly limit?: number
}

/** A mute that is in force. */
export type ActiveMute = AlertMute & { readonly id: string }

/** No messages of a rule until then. The latest one for the same rule and source is in force; one that has ended ends it. */
export type AlertMute = AlertNote & {
  /** Default: every rule. */
  readonly rule?: string
  /** Default: every source. */
  readonly source?: string
  readonly until: Date
}

/** What happens to an episode, at the time of the situation. `messages` are made for the id that it has or gets. */
export type EpisodeChange = {
  readonly at: Date
  readonly rule: string
  readonly source: string | undefined
  readonly messages: (id: string) => readonly EpisodeMessage[]
} & (
  | { readonly kind: 'open'; readonly figures: AlertFigures; readonly isTold: boolean }
  | { readonly kind: 'see' | 'tell'; readonly id: string; readonly figures: AlertFigures }
  | { readonly kind: 'remind'; readonly id: string; readonly figures: AlertFigures; readonly remindersBefore: number }
  | { readonly kind: 'resolve'; readonly id: string }
)

export type EpisodeMessage = {
  readonly target: string
  /** Unique among all messages of the target. */
  readonly key: string
  /** JSON. */
  readonly message: string
}
