import type { HeaderList } from './types.ts'

/** What the API answers about captures, values and automations. */

export type CaptureEndpoint = {
  readonly name: string
  readonly url: string | null
  readonly createdAt: string
  readonly captures: number
  readonly lastAt?: string | null
  readonly note?: string | null
}

export type CaptureAnswer = {
  /** `hang` and `drop` sent nothing. */
  readonly kind?: 'sent' | 'hang' | 'drop' | 'none'
  readonly status?: number | null
  readonly headers?: HeaderList
  readonly text?: string | null
  readonly origin: string
  readonly rule?: string | null
}

export type Capture = {
  readonly id: string
  readonly endpoint: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderList
  readonly bytes: number
  readonly text?: string | null
  readonly base64?: string | null
  readonly remoteAddress?: string | null
  readonly tookMilliseconds: number
  readonly isTruncated?: boolean
  /** Why it could not be taken whole. */
  readonly problem?: string | null
  readonly answer: CaptureAnswer
  readonly identity?: { readonly provider: string; readonly eventId: string; readonly type: string } | null
}

/** As it was in the list: without its body. */
export type CaptureInBrief = Omit<Capture, 'headers' | 'text' | 'base64'>

export type TextCondition = string | { readonly exists: boolean }

export type Rule = {
  readonly name?: string
  readonly when?: {
    readonly method?: string | readonly string[]
    readonly path?: string
    readonly headers?: Readonly<Record<string, TextCondition>>
    readonly query?: Readonly<Record<string, TextCondition>>
    readonly json?: Readonly<Record<string, TextCondition | number | boolean | null>>
    readonly probability?: number
    readonly first?: number
    readonly after?: number
  }
  readonly answer: {
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly json?: unknown
    readonly delaySeconds?: number
    readonly hang?: true
    readonly drop?: true
  }
}

export type RuleInUse = Rule & { readonly counted?: number; readonly answered?: number }

export type ReplayResult = {
  readonly attempt: number
  readonly status?: number | null
  readonly headers?: HeaderList | null
  readonly text?: string | null
  readonly tookMilliseconds: number
  readonly error?: string | null
}

export type SentReplay = { readonly id: string; readonly results: readonly ReplayResult[] }

export type Comparison = {
  readonly items: readonly {
    readonly kind: string
    readonly id: string
    /** Of the endpoint or the source. */
    readonly name: string
    readonly at: string
    readonly method: string
    readonly path: string
    readonly bytes: number
    readonly identity: { readonly provider: string; readonly eventId: string; readonly type: string } | null
  }[]
  readonly identity: {
    readonly verdict: 'same_event' | 'mutated' | 'replayed_body' | 'different_events' | 'unknown'
    readonly explanation: string
  }
  readonly areBytesEqual: boolean
  /** Only what differs. */
  readonly headers: readonly { readonly name: string; readonly role: string; readonly values: readonly unknown[] }[]
  readonly body: readonly { readonly path: string; readonly values: readonly unknown[] }[]
  readonly isTruncated: boolean
  /** In the order of time; `place` is that among the items, from 1. */
  readonly timing: readonly {
    readonly place: number
    readonly sinceFirstMilliseconds: number
    readonly sincePreviousMilliseconds: number
  }[]
}

export type Namespace = { readonly namespace: string; readonly keys: number; readonly hasMoreKeys?: boolean }

export type StoredValue = {
  readonly namespace: string
  readonly key: string
  readonly value: unknown
  readonly version: number
  readonly expiresAt?: string | null
  readonly updatedAt: string
}

export type Automation = {
  readonly name: string
  /** Those of the configuration are changed there. */
  readonly origin: 'config' | 'api'
  readonly isEnabled: boolean
  readonly revision: number
  readonly changedAt: string | null
  readonly changedBy: string | null
  readonly definition: unknown
}

export type AutomationRun = {
  readonly id?: string
  readonly source?: string
  readonly eventId?: string
  readonly receiptId?: string
  readonly attempt?: number
  readonly outcome: string
  readonly error?: string | null
  readonly tookMilliseconds?: number
  readonly endedAt?: string
  readonly steps: readonly TracedStep[]
}

export type TracedStep = {
  readonly number: number
  readonly kind: string
  readonly name?: string
  readonly outcome: string
  readonly summary: string
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: string | null
  readonly tookMilliseconds: number
}
