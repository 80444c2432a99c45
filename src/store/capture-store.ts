/** Requests that were taken whole, the rules by which they were answered, and what was sent again. */
export type CaptureStore = {
  /** Makes the endpoint, or changes its note. `full`: there are as many as allowed already, and nothing was made. */
  readonly putEndpoint: (endpoint: EndpointToPut, mostEndpoints: number) => Promise<'created' | 'known' | 'full'>
  /** In the order of their names. */
  readonly findEndpoints: (environment: string) => Promise<readonly CaptureEndpoint[]>
  /** With its captures and rules. False if there is none of that name. */
  readonly deleteEndpoint: (environment: string, name: string) => Promise<boolean>
  /** In their order. Undefined if there is no such endpoint. */
  readonly readRules: (environment: string, endpoint: string) => Promise<readonly StoredRule[] | undefined>
  /**
   * In place of those before. A rule that is the same as one before goes on counting where that one was, unless counts are reset. False if
   * there is no such endpoint.
   */
  readonly putRules: (rules: RulesToPut) => Promise<boolean>

  /**
   * Writes down a request with the answer that it will get, and removes what is more than the endpoint keeps. Of any number of concurrent
   * calls for one endpoint, in any number of processes, one at a time is asked to decide, so that counts of rules are exact. When it
   * resolves, all of it is durable.
   */
  readonly record: (arrival: Arrival, decide: Decide) => Promise<RecordedCapture>
  /** Another answer in place of the one that was decided, before it is given. False if the capture is gone, or under another key by now. */
  readonly changeAnswer: (change: AnswerChange) => Promise<boolean>
  /** Newest first, without bodies. */
  readonly find: (environment: string, filter: CaptureFilter) => Promise<readonly CaptureInBrief[]>
  readonly read: (environment: string, id: string) => Promise<Capture | undefined>
  readonly delete: (environment: string, id: string) => Promise<boolean>
  /** All captures of an endpoint. Answers with how many they were. */
  readonly clear: (environment: string, endpoint: string) => Promise<number>
  /** Removes what is past its time, a bounded number at once. Answers in how many milliseconds there will be more; undefined if never. */
  readonly prune: (environment: string) => Promise<{ readonly millisecondsUntilNext: number | undefined }>

  /** Before anything is sent, so that who did it is known whatever happens then. Answers with the id. */
  readonly beginReplay: (replay: NewReplay) => Promise<string>
  readonly endReplay: (environment: string, id: string, results: readonly ReplayResult[]) => Promise<void>
  /** Newest first, those with smaller ids than `beforeId`. */
  readonly findReplays: (environment: string, page: ReplayPage) => Promise<readonly SentReplay[]>
  readonly readReplay: (environment: string, id: string) => Promise<SentReplay | undefined>
}

/** A header with its name as it was written. */
export type HeaderPair = readonly [name: string, value: string]

export type EndpointToPut = {
  readonly environment: string
  readonly name: string
  /** What it is for; undefined leaves what there is. */
  readonly note: string | undefined
  /** Who made it: a person, the configuration, or the first request to it. */
  readonly by: string
}

/** A place that takes any request. */
export type CaptureEndpoint = {
  readonly name: string
  readonly note: string
  readonly createdAt: Date
  readonly createdBy: string
  /** How many are kept, and how many bytes they are. */
  readonly captures: number
  readonly bytes: number
  /** How many came, also those that are gone. */
  readonly received: number
  readonly lastAt: Date | undefined
}

export type StoredRule = {
  readonly name: string
  /** JSON. */
  readonly rule: string
  /** How many requests it was counted for, up to its limit. */
  readonly counted: number
  /** How many requests it answered. */
  readonly answered: number
}

export type RulesToPut = {
  readonly environment: string
  readonly endpoint: string
  readonly rules: readonly Pick<StoredRule, 'name' | 'rule'>[]
  readonly counts: 'keep' | 'reset'
}

/** Why a request could not be taken whole. */
export type CaptureProblem = 'too_large' | 'too_slow' | 'cut_short'

/** A request as it came. */
export type Arrival = {
  readonly environment: string
  readonly endpoint: string
  readonly method: string
  /** What followed the name of the endpoint: empty, or with a slash at its beginning. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** In their order, with duplicates. */
  readonly headers: readonly HeaderPair[]
  readonly content: Uint8Array
  /** Of the body as it came; of one that was too large, as many as it announced or as were read. */
  readonly bytes: number
  readonly remoteAddress: string
  readonly tookMilliseconds: number
  readonly problem: CaptureProblem | undefined
  readonly identity: CaptureIdentity | undefined
  readonly limits: CaptureLimits
  /** Set if the endpoint may be made by the request, and says how many there may be. */
  readonly mostEndpoints: number | undefined
  /** The key that the content is encrypted with; undefined if it is not. */
  readonly keyId?: string | undefined
}

/** What one endpoint keeps. */
export type CaptureLimits = { readonly requests: number; readonly bytes: number; readonly days: number }

/** What a provider would call the event. */
export type CaptureIdentity = { readonly provider: string; readonly eventId: string; readonly type: string }

/** Called while nobody else can decide for the endpoint. Must not wait for anything. */
export type Decide = (moment: {
  /** Of the capture that is being written. */
  readonly id: string
  readonly rules: readonly StoredRule[]
}) => Decision

export type Decision = {
  readonly answer: CaptureAnswer
  /** The places of rules whose count goes up by one. */
  readonly counted: readonly number[]
  /** The place of the rule that answers. */
  readonly answeredBy: number | undefined
}

/** What the sender got. `hang`: nothing, while the connection stayed open. `drop`: the connection was closed. `none`: it was gone already. */
export type CaptureAnswer = {
  readonly kind: 'sent' | 'hang' | 'drop' | 'none'
  /** Only of what was sent. */
  readonly status: number | undefined
  readonly headers: readonly HeaderPair[]
  readonly body: Uint8Array
  readonly delaySeconds: number
  readonly origin: 'default' | 'rule' | 'automation'
  /** The name of the rule or of the automation that it came from. */
  readonly rule: string | undefined
}

/** What the sender gets after all. */
export type AnswerChange = {
  readonly environment: string
  readonly id: string
  readonly answer: CaptureAnswer
  /** The key of the capture, which the answer is encrypted with too; undefined if it is not. */
  readonly keyId?: string | undefined
}

export type RecordedCapture =
  | { readonly kind: 'recorded'; readonly id: string; readonly answer: CaptureAnswer }
  /** There is none of that name. */
  | { readonly kind: 'unknown_endpoint' }
  /** And there is no room for one more. */
  | { readonly kind: 'too_many_endpoints' }

/** A capture for lists. */
export type CaptureInBrief = Omit<
  Arrival,
  'environment' | 'headers' | 'content' | 'limits' | 'mostEndpoints' | 'keyId'
> & {
  readonly id: string
  readonly at: Date
  readonly answer: Pick<CaptureAnswer, 'kind' | 'status' | 'origin' | 'rule'>
}

export type Capture = Omit<CaptureInBrief, 'answer'> & {
  readonly headers: readonly HeaderPair[]
  /** Empty where there was a problem. */
  readonly content: Uint8Array
  readonly answer: CaptureAnswer
  readonly keyId?: string | undefined
}

export type CaptureFilter = {
  readonly endpoint?: string | undefined
  readonly method?: string | undefined
  /** A status, or a class as `5`; `0` for requests that got no answer. */
  readonly status?: number | undefined
  /** A part of the path, or an event id or type from its beginning. */
  readonly text?: string | undefined
  readonly beforeId?: string | undefined
  readonly limit: number
}

/** What was sent again, by whom, and why. */
export type NewReplay = {
  readonly environment: string
  readonly from: { readonly kind: 'capture' | 'receipt'; readonly id: string }
  readonly target: string
  readonly times: number
  readonly isParallel: boolean
  readonly isEdited: boolean
  /** The provider whose signature it got. */
  readonly signedFor: string | undefined
  readonly by: string
  readonly why: string
}

export type ReplayResult = {
  /** 1 for the first. */
  readonly attempt: number
  /** Undefined if no answer came. */
  readonly status: number | undefined
  readonly headers: readonly HeaderPair[]
  /** The beginning of the body. */
  readonly text: string
  readonly isTruncated: boolean
  readonly tookMilliseconds: number
  readonly error: string | undefined
}

export type SentReplay = Omit<NewReplay, 'environment'> & {
  readonly id: string
  readonly at: Date
  /** Undefined while it runs, and if the process died meanwhile. */
  readonly endedAt: Date | undefined
  readonly results: readonly ReplayResult[]
}

export type ReplayPage = { readonly beforeId: string | undefined; readonly limit: number }
