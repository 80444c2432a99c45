/** What the API answers, as far as it is shown. Times are ISO texts; what is not known is missing or null. */

export type Role = 'viewer' | 'operator' | 'admin'

export type Session = {
  readonly name?: string | null
  readonly role?: Role | null
  readonly csrf?: string | null
  readonly isLoginRequired: boolean
  readonly isReadOnly?: boolean
  readonly version: string
  readonly environment: string
  readonly features: {
    readonly captures: boolean
    readonly datastore: boolean
    readonly automations: boolean
    readonly guide: boolean
  }
}

export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null }

export type ReceiptStatus =
  | 'received'
  | 'processing'
  | 'processed'
  | 'retrying'
  | 'failed'
  | 'ignored'
  | 'stale'
  | 'same_change'

export type Receipt = {
  readonly id: string
  readonly environment: string
  readonly source: string
  readonly eventId: string
  readonly type: string
  readonly deliveryId?: string | null
  readonly objectId?: string | null
  readonly occurredAt?: string | null
  readonly receivedAt: string
  readonly status: ReceiptStatus
  readonly attempts: number
  readonly processedAt?: string | null
  readonly nextAttemptAt?: string | null
  readonly lastError?: string | null
  readonly deliveries: number
  readonly secretIndex?: number | null
  readonly bodyHash: string
  readonly origin: string
  readonly repeatsEventId?: string | null
  readonly heldAt?: string | null
}

export type NotedDelivery = {
  readonly kind: string
  readonly status: number
  readonly latencyMilliseconds: number
  readonly deliveryId?: string | null
  readonly detail?: string | null
}

export type Attempt = {
  readonly attempt: number
  readonly handler: string
  readonly worker: string
  readonly outcome: 'succeeded' | 'failed' | 'deferred' | 'abandoned'
  readonly startedAt: string
  readonly endedAt: string
  readonly error?: string | null
}

export type OutboxMessage = {
  readonly id: string
  readonly target: string
  readonly key: string
  readonly receiptId?: string | null
  readonly status: 'pending' | 'published' | 'failed'
  readonly attempts: number
  readonly createdAt: string
  readonly publishedAt?: string | null
  readonly lastError?: string | null
}

export type TimelineEntry =
  | { readonly kind: 'received'; readonly at: string; readonly receipt: Receipt }
  | { readonly kind: 'delivery'; readonly at: string; readonly delivery: NotedDelivery }
  | { readonly kind: 'attempt'; readonly at: string; readonly attempt: Attempt }
  | {
      readonly kind: 'effect'
      readonly at: string
      readonly key: string
      readonly handler: string
      readonly result?: string | null
    }
  | { readonly kind: 'version'; readonly at: string; readonly key: string; readonly version: string }
  | { readonly kind: 'message'; readonly at: string; readonly message: OutboxMessage }
  | { readonly kind: 'replay' | 'hold' | 'release'; readonly at: string; readonly by: string; readonly why: string }

export type HeaderList = readonly (readonly [string, string])[]

export type StoredBody = {
  readonly headers: HeaderList
  readonly bytes: number
  readonly contentType?: string | null
  readonly text: string | null
  readonly base64: string
  readonly isTruncated: boolean
  readonly redacted: readonly string[]
}

export type EffectNote =
  | { readonly kind: 'effect'; readonly key: string; readonly outcome: 'applied' | 'skipped' }
  | { readonly kind: 'version'; readonly key: string; readonly version: string; readonly outcome: 'applied' | 'stale' }
  | { readonly kind: 'change'; readonly key: string; readonly outcome: 'same_change' }
  | { readonly kind: 'message'; readonly target: string; readonly key: string; readonly outcome: 'added' | 'known' }
  | {
      readonly kind: 'value'
      readonly namespace: string
      readonly key: string
      readonly outcome: 'stored' | 'kept' | 'deleted'
    }

export type HandlerPreview = {
  readonly handler: string
  readonly would: 'succeed' | 'fail' | 'defer' | 'end_stale' | 'same_change'
  readonly reason?: string | null
  readonly effects: readonly EffectNote[]
}

export type ReplayPreview = {
  readonly receiptId: string
  readonly source: string
  readonly eventId: string
  readonly type: string
  readonly redacted: readonly string[]
  readonly handlers: readonly HandlerPreview[]
}

export type ReceiptQuery = Readonly<Record<string, string | readonly string[] | undefined>>

export type Backlog = {
  readonly waiting: number
  readonly oldestSeconds?: number | null
  readonly retrying?: number
  readonly failed: number
}

export type Overview = {
  readonly numbers: {
    readonly firstAttemptErrorRate: number | null
    readonly duplicateRate: number | null
    readonly duplicateBaseline: number | null
    readonly ledgerRows: number
    readonly ledgerDelta: number
  }
  readonly queue: Backlog
  readonly outbox: Backlog
  readonly durability?: { readonly tier: string; readonly summary: string; readonly warnings: readonly string[] }
  readonly alerts: number
  readonly sources: number
}

export type TrafficBucket = {
  readonly at: string
  readonly accepted: number
  readonly duplicates: number
  readonly refused: number
  readonly failed: number
  readonly succeeded: number
  readonly lagMilliseconds: number | null
}

export type Traffic = { readonly bucketSeconds: number; readonly buckets: readonly TrafficBucket[] }

export type DeadLetterGroup = {
  readonly source: string
  readonly type: string
  readonly error: string
  readonly count: number
  readonly lastAt: string
  readonly exampleId: string
}

export type Source = {
  readonly name: string
  readonly provider: string
  readonly title?: string
  readonly warnings?: readonly string[]
  readonly mode: string
  readonly url?: string | null
  readonly handlers: readonly {
    readonly name: string
    readonly types: readonly string[]
    readonly forwardsTo?: string | null
  }[]
  readonly deadlineSeconds?: number | null
  readonly retryHours?: number | null
  readonly keepDays?: number | 'forever' | null
  readonly isVerified: boolean
  readonly meters?: {
    readonly deadline?: DeadlineMeter | null
    readonly secrets?: readonly SecretUse[] | null
  }
  readonly retryPattern?: RetryPattern | null
  readonly recentRefusals?: readonly Refusal[]
}

export type DeadlineMeter = {
  readonly deadlineSeconds: number
  readonly days: number
  readonly deliveries: number
  readonly pastHalf: number
  readonly pastMost: number
  readonly pastAll: number
  readonly slowestSeconds: number
  readonly retriesCaused: number
}

export type SecretUse = {
  readonly position: number
  readonly deliveries: number
  readonly lastSeenAt?: string | null
  readonly since?: string | null
  readonly othersSince: number
  readonly verdict: 'in_use' | 'quiet' | 'unknown'
}

export type RetryPattern = {
  readonly since: string
  readonly until: string
  readonly events: number
  readonly copies: number
  readonly isComplete: boolean
  readonly copiesPerEvent: readonly { readonly copies: number; readonly events: number }[]
  readonly delays: readonly {
    readonly fromSeconds: number
    readonly toSeconds?: number | null
    readonly copies: number
  }[]
  readonly causes: readonly { readonly cause: string; readonly copies: number }[]
  readonly documented?: { readonly title?: string; readonly retrySchedule?: string } | null
  readonly remarks: readonly string[]
}

export type Refusal = {
  readonly at: string
  readonly kind: string
  readonly reason?: string | null
  readonly detail?: string | null
  readonly status: number
}

export type Diagnosis = {
  readonly verdict: string
  readonly reason?: string | null
  readonly hint?: string | null
  /** What it would be recorded as. */
  readonly events?: readonly { readonly id: string; readonly type: string }[]
}

export type Alert = {
  readonly id: string
  readonly rule: string
  readonly source?: string | null
  readonly openedAt: string
  readonly lastSeenAt: string
  readonly resolvedAt?: string | null
  readonly title: string
  readonly text: string
  readonly advice: string
  readonly acknowledged?: { readonly by: string; readonly why: string; readonly at: string } | null
}

export type AlertMute = {
  readonly id?: string
  readonly rule?: string | null
  readonly source?: string | null
  readonly until: string
  readonly by: string
  readonly why: string
}

export type AuditEntry = {
  readonly id: string
  readonly at: string
  readonly by: string
  readonly role?: string | null
  readonly action: string
  /** `begun`: its process ended over it. */
  readonly outcome: 'begun' | 'done' | 'refused' | 'failed'
  readonly target?: string | null
  readonly why?: string | null
  readonly detail?: unknown
}
