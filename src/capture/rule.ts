/** Answers a request of a capture endpoint. The first rule whose conditions all hold is the one. */
export type CaptureRule = {
  /** Unique on its endpoint. Default: `rule 1` and so on, by its place. */
  readonly name?: string
  /** Everything given must hold. Nothing: every request. */
  readonly when?: RuleConditions
  readonly answer: RuleAnswer
}

/** What a request has to be for the rule to answer it. */
export type RuleConditions = {
  /** One of these. */
  readonly method?: string | readonly string[]
  /** What follows the endpoint's name: `/orders/*`, `**` for more than one part; empty for the endpoint itself. */
  readonly path?: string
  /** By name. A header that came twice holds if one of its values does. */
  readonly headers?: Readonly<Record<string, TextCondition>>
  readonly query?: Readonly<Record<string, TextCondition>>
  /** By path, as `data.object.status`, `items[*].id` or `$..email`: holds if one of the values there does. */
  readonly json?: Readonly<Record<string, JsonCondition>>
  /** From 0 to 1: of the requests for which all else holds, so many. */
  readonly probability?: number
  /** Only the first so many requests for which all else holds; counted in the database, over all processes. */
  readonly first?: number
  /** Only after so many of them. */
  readonly after?: number
}

/** The text, in which `*` stands for anything, or whether there is one at all. */
export type TextCondition = string | { readonly exists: boolean }

/** What a member of a JSON body has to be. */
export type JsonCondition = TextCondition | number | boolean | null

/** What the sender gets. `hang`: nothing, until it gives up. `drop`: the connection is closed. */
export type RuleAnswer = {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text; `{{json.challenge}}`, `{{query.name}}`, `{{header.name}}`, `{{method}}`, `{{path}}` and `{{id}}` are filled in. */
  readonly body?: string
  /** In place of `body`: a JSON document, in whose texts the same is filled in. */
  readonly json?: unknown
  /** How long it waits before that. At most 600. */
  readonly delaySeconds?: number
  readonly hang?: true
  readonly drop?: true
}

/** A rule without open questions. */
export type CheckedRule = CaptureRule & { readonly name: string }

export const longestDelaySeconds = 600
