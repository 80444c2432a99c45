/** Ordered steps that run for each event of a source, or for each request to a capture endpoint. */
export type Automation = {
  readonly on: AutomationTrigger
  readonly steps: readonly Step[]
  /** False: events pass it by. Default true. */
  readonly isEnabled?: boolean
  /** What it is for. */
  readonly note?: string
}

/** What sets a chain off: events of a source, or requests at a capture endpoint. */
export type AutomationTrigger =
  /** Events of these types: a type, several, a beginning as in `invoice.*`. Default `*`, all of them. */
  { readonly source: string; readonly types?: string | readonly string[] } | { readonly endpoint: string }

/** Texts of a step may hold `{{name}}`, which stands for a variable or a part of the event; one that is nothing else keeps its kind. */
export type Step =
  | ExtractStep
  | ConditionStep
  | LookupStep
  | StoreStep
  | DedupStep
  | ForwardStep
  | RespondStep
  | CodeStep

type Named = {
  /** For people who read a trace. */
  readonly name?: string
}

/** Takes a part of the event into a variable. */
export type ExtractStep = Named & {
  readonly kind: 'extract'
  /** `$` is the body: `$.data.object.id`, `$.items[0]`; also `headers.x-shop`, `event.type`. */
  readonly path: string
  readonly as: string
  /** What if it is not there: `fail` (no retry helps), `end`, or `null`. Default `fail`. */
  readonly whenMissing?: 'fail' | 'end' | 'null'
}

/** Goes on if the comparison holds. */
export type ConditionStep = Named & {
  readonly kind: 'condition'
  readonly value: unknown
  readonly operator: Operator
  /** What it is compared with. */
  readonly than?: unknown
  /** If it does not hold: `end` the run, or `skip` the next steps. Default `end`. */
  readonly otherwise?: 'end' | 'skip'
  /** How many steps. Default 1. */
  readonly skip?: number
}

export const operators = [
  'equals',
  'not_equals',
  'greater',
  'greater_or_equal',
  'less',
  'less_or_equal',
  'contains',
  'starts_with',
  'ends_with',
  'in',
  'exists',
  'missing',
] as const

export type Operator = (typeof operators)[number]

/** Reads a value of the datastore into a variable; null if there is none. */
export type LookupStep = Named & {
  readonly kind: 'lookup'
  readonly namespace: string
  readonly key: string
  readonly as: string
}

/** Changes the datastore, in the same transaction as everything else of the run. */
export type StoreStep = Named & {
  readonly kind: 'store'
  readonly operation: 'set' | 'set_if_absent' | 'increment' | 'delete'
  readonly namespace: string
  readonly key: string
  readonly value?: unknown
  /** Of an increment. Default 1. */
  readonly by?: number
  readonly ttlSeconds?: number
  /** Keeps what is there afterwards in a variable. */
  readonly as?: string
}

/** Ends the run if another event has come by with this key. One atomic decision of the database, undone with the run. */
export type DedupStep = Named & {
  readonly kind: 'dedup'
  readonly key: string
  /** Default `dedup:` and the name of the automation. */
  readonly namespace?: string
  /** How long the key is known. Default 30 days. */
  readonly ttlSeconds?: number
}

/** Sends a request after the run has committed, at least once and always with the same `Idempotency-Key`. */
export type ForwardStep = Named & {
  readonly kind: 'forward'
  readonly to: string
  readonly method?: 'POST' | 'PUT' | 'PATCH'
  /** `{{secret.NAME}}` is put in when it is sent, and is stored nowhere. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. Default: the exact bytes that came, with their content type. */
  readonly body?: unknown
}

/** What to answer the request that was captured. Only for endpoints. */
export type RespondStep = Named & {
  readonly kind: 'respond'
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** TypeScript of your own: the body of an async function of `{ body, headers, event, variables }`, in a thread with limits. */
export type CodeStep = Named & {
  readonly kind: 'code'
  readonly code: string
  /** Keeps what it returns in a variable. `{ end: true }` returned ends the run. */
  readonly as?: string
  /** Default 1000, at most 10000. */
  readonly timeoutMilliseconds?: number
  /** Of the heap. Default 64, from 16 to 512. */
  readonly memoryMegabytes?: number
}

/** What became of a run. */
export type RunOutcome = 'completed' | 'ended' | 'failed'

/** One step of a run, as it went. */
export type StepTrace = {
  /** 1 for the first. */
  readonly number: number
  readonly kind: Step['kind']
  readonly name: string | undefined
  readonly outcome: 'done' | 'ended' | 'skipped' | 'failed'
  /** In one sentence. */
  readonly summary: string
  /** What it worked with and what came out, cut where they are long. */
  readonly input: unknown
  readonly output: unknown
  readonly error: string | undefined
  readonly tookMilliseconds: number
}
