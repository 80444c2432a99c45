/** What each rule takes besides `except`. */
export type AlertRules = {
  /** More copies than usual, as a share of all deliveries. */
  readonly duplicates?:
    | false
    | (Exceptions & {
        /** Fewer copies than this are no matter. Default 20. */
        readonly minimum?: number
        /** How many times the usual share. Default 3. */
        readonly factor?: number
        /** A share that is never worth a word. Default 0.05. */
        readonly share?: number
      })
  /** First runs of handlers that fail. */
  readonly firstAttemptErrors?:
    | false
    | (Exceptions & {
        /** Default 10. */
        readonly minimum?: number
        /** Default 0.1. */
        readonly share?: number
      })
  /** Events that are due and not done. */
  readonly lag?:
    | false
    | {
        /** How long the oldest has been due. Default 300. */
        readonly seconds?: number
      }
  /** Events that failed for good. */
  readonly deadLetters?:
    | false
    | (Exceptions & {
        /** Default 1. */
        readonly minimum?: number
      })
  /** Messages of the outbox that could not be sent. */
  readonly deadMessages?:
    | false
    | (Exceptions & {
        /** Default 1. */
        readonly minimum?: number
      })
  /** More refusals for a wrong signature than usual. */
  readonly signatureFailures?:
    | false
    | (Exceptions & {
        /** Default 20. */
        readonly minimum?: number
        /** How many times as many as usual. Default 5. */
        readonly factor?: number
      })
  /** A source that usually talks and does not. */
  readonly silence?:
    | false
    | (Exceptions & {
        /** Shorter than this is no silence. Default 30. */
        readonly minutes?: number
        /** So many deliveries are missing, by the weeks before. Default 10. */
        readonly expected?: number
        /** Or it is so many times as long as the longest silence of the last four weeks. Default 1.5. */
        readonly factor?: number
      })
  /** Answers that are nearly too late for the provider. */
  readonly deadline?:
    | false
    | (Exceptions & {
        /** Default 5. */
        readonly minimum?: number
        /** The share of answers that are near the deadline. Default 0.05. */
        readonly share?: number
        /** Which part of the deadline is near. Default 0.5. */
        readonly near?: number
      })
  /** Retention and other tasks of upkeep that fail or are not done. */
  readonly upkeep?:
    | false
    | {
        /** How long after it was due. Default 26: where it may only work at night, one night was not enough. */
        readonly hours?: number
      }
}

type Exceptions = {
  /** Sources that the rule leaves alone. */
  readonly except?: readonly string[]
}

export type RuleName = keyof AlertRules

export type NumberRange = { readonly atLeast: number; readonly atMost: number }

type RuleOption = NumberRange & { readonly byDefault: number }

const count = (byDefault: number): RuleOption => ({ byDefault, atLeast: 1, atMost: 1_000_000_000 })
const factor = (byDefault: number): RuleOption => ({ byDefault, atLeast: 1.1, atMost: 1000 })
const share = (byDefault: number): RuleOption => ({ byDefault, atLeast: 0.001, atMost: 1 })

/** The limits of each rule: what holds unless a user says otherwise, and what may be said. */
export const optionsOfRules: Readonly<Record<RuleName, Readonly<Record<string, RuleOption>>>> = {
  duplicates: { minimum: count(20), factor: factor(3), share: share(0.05) },
  firstAttemptErrors: { minimum: count(10), share: share(0.1) },
  lag: { seconds: { byDefault: 300, atLeast: 1, atMost: 30 * 86_400 } },
  deadLetters: { minimum: count(1) },
  deadMessages: { minimum: count(1) },
  signatureFailures: { minimum: count(20), factor: factor(5) },
  silence: { minutes: { byDefault: 30, atLeast: 10, atMost: 30 * 1440 }, expected: count(10), factor: factor(1.5) },
  deadline: { minimum: count(5), share: share(0.05), near: share(0.5) },
  upkeep: { hours: { byDefault: 26, atLeast: 0.1, atMost: 720 } },
}

/** These look at all sources together, so there is none to leave alone. */
export const overallRules: ReadonlySet<RuleName> = new Set(['lag', 'upkeep'])

export const ruleNames: readonly RuleName[] = Object.keys(optionsOfRules) as RuleName[]
