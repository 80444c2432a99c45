/** What is measured. Labels are bounded; see label-values.ts. */
export type Metric = {
  /** As Prometheus knows it. */
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

export type Histogram = Metric & {
  /** Upper bounds, in seconds. */
  readonly buckets: readonly number[]
}

/** Counted in this process, from what it tells its listeners. */
export const counters = {
  deliveries: {
    name: 'oncehook_deliveries_total',
    help: 'Deliveries, by what became of them. Each event of a batch counts.',
    labels: ['source', 'type', 'outcome'],
  },
  duplicates: {
    name: 'oncehook_duplicates_total',
    help: 'Deliveries of events that were recorded before, by whether the body was the same.',
    labels: ['source', 'type', 'body'],
  },
  replayedBodies: {
    name: 'oncehook_replayed_bodies_total',
    help: 'Signed bodies that came again under a new id.',
    labels: ['source', 'outcome'],
  },
  signatureFailures: {
    name: 'oncehook_signature_failures_total',
    help: 'Deliveries that were not believed.',
    labels: ['source', 'reason'],
  },
  refused: {
    name: 'oncehook_refused_total',
    help: 'Requests that were turned away for their shape.',
    labels: ['source', 'reason'],
  },
  ignored: {
    name: 'oncehook_ignored_total',
    help: 'Events that were acknowledged and not processed.',
    labels: ['source', 'type', 'reason'],
  },
  processed: {
    name: 'oncehook_processed_total',
    help: 'Events whose handlers have all committed.',
    labels: ['source', 'type'],
  },
  deadLettered: {
    name: 'oncehook_dead_lettered_total',
    help: 'Events that have become dead letters.',
    labels: ['source', 'type'],
  },
  handlerRuns: {
    name: 'oncehook_handler_runs_total',
    help: 'Runs of handlers, by how they ended.',
    labels: ['source', 'type', 'handler', 'outcome'],
  },
  firstAttempts: {
    name: 'oncehook_first_attempts_total',
    help: 'First runs of handlers that succeeded or failed.',
    labels: ['source'],
  },
  firstAttemptErrors: {
    name: 'oncehook_first_attempt_errors_total',
    help: 'First runs of handlers that failed.',
    labels: ['source'],
  },
  leaseLosses: {
    name: 'oncehook_lease_losses_total',
    help: 'Runs rolled back because another worker had taken over.',
    labels: ['source'],
  },
  abandonedRuns: {
    name: 'oncehook_abandoned_runs_total',
    help: 'Runs of workers that died or froze, counted by those that took over.',
    labels: ['source'],
  },
  stale: {
    name: 'oncehook_stale_total',
    help: 'Updates not applied because a newer one was there.',
    labels: ['source', 'type'],
  },
  sameChange: {
    name: 'oncehook_same_change_total',
    help: 'Handlers not run because another event had told of the change.',
    labels: ['source', 'type'],
  },
  effectConflicts: {
    name: 'oncehook_effect_conflicts_total',
    help: 'Effects not applied because their key was used before.',
    labels: ['source', 'type'],
  },
  messages: {
    name: 'oncehook_messages_total',
    help: 'Attempts to send messages of the outbox, by how they ended.',
    labels: ['target', 'outcome'],
  },
  deadlineDeliveries: {
    name: 'oncehook_deadline_deliveries_total',
    help: 'Authentic deliveries of providers whose deadline is known.',
    labels: ['source'],
  },
  deadlinePassed: {
    name: 'oncehook_deadline_passed_total',
    help: 'Those of them that were answered after this share of the deadline.',
    labels: ['source', 'share'],
  },
  secretDeliveries: {
    name: 'oncehook_secret_deliveries_total',
    help: 'Deliveries verified by the secret in this place of the list; 1 is the first.',
    labels: ['source', 'secret'],
  },
  upkeepRuns: {
    name: 'oncehook_upkeep_runs_total',
    help: 'Runs of tasks of upkeep, by how they ended.',
    labels: ['task', 'outcome'],
  },
  upkeepDone: {
    name: 'oncehook_upkeep_done_total',
    help: 'What these runs did, such as rows deleted.',
    labels: ['task', 'what'],
  },
  notices: {
    name: 'oncehook_notices_total',
    help: 'What the inbox said about itself.',
    labels: ['level'],
  },
} as const

export const histograms = {
  acceptDuration: {
    name: 'oncehook_accept_duration_seconds',
    help: 'From the request to the answer, for authentic deliveries.',
    labels: ['source'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  handlerDuration: {
    name: 'oncehook_handler_duration_seconds',
    help: 'Time in handlers, however they ended.',
    labels: ['source', 'handler'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  },
  processingLag: {
    name: 'oncehook_processing_lag_seconds',
    help: 'From the receipt of an event to the commit of its effects.',
    labels: ['source'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400],
  },
} as const

/** Read from the database when somebody asks: the same in every process. */
export const gauges = {
  storeUp: {
    name: 'oncehook_store_up',
    help: 'Whether the database answered when these figures were asked for: 1 or 0.',
    labels: [],
  },
  queueEvents: {
    name: 'oncehook_queue_events',
    help: 'Events still to be processed, estimated beyond 20,000.',
    labels: ['source', 'state'],
  },
  queueOldestDue: {
    name: 'oncehook_queue_oldest_due_seconds',
    help: 'For how long the oldest event has been due.',
    labels: ['source'],
  },
  deadLetters: {
    name: 'oncehook_dead_letters',
    help: 'Events that wait for a replay. At most 10,000 are counted.',
    labels: ['source'],
  },
  outboxMessages: {
    name: 'oncehook_outbox_messages',
    help: 'Messages of the outbox that are not sent, estimated beyond 20,000.',
    labels: ['target', 'state'],
  },
  outboxOldestDue: {
    name: 'oncehook_outbox_oldest_due_seconds',
    help: 'For how long the oldest message has been due.',
    labels: ['target'],
  },
  ledgerRows: {
    name: 'oncehook_ledger_rows',
    help: 'Rows of the ledger, by the statistics of the database.',
    labels: [],
  },
  ledgerAddedYesterday: {
    name: 'oncehook_ledger_added_yesterday',
    help: 'Events that came on the last whole day (UTC).',
    labels: ['source'],
  },
  ledgerPrunedYesterday: {
    name: 'oncehook_ledger_pruned_yesterday',
    help: 'Events that retention removed on the last whole day (UTC).',
    labels: ['source'],
  },
} as const

/** Read in the same way. They only rise, until the statistics of the database are reset. */
export const readCounters = {
  ledgerRowsInserted: {
    name: 'oncehook_ledger_rows_inserted_total',
    help: 'Rows written to the ledger, by the statistics of the database.',
    labels: [],
  },
  ledgerRowsDeleted: {
    name: 'oncehook_ledger_rows_deleted_total',
    help: 'Rows deleted from the ledger, by the statistics of the database.',
    labels: [],
  },
} as const

export type CounterName = keyof typeof counters
export type HistogramName = keyof typeof histograms
export type ReadName = keyof typeof gauges | keyof typeof readCounters

/** A value for each label of a metric. */
export type LabelsOf<Of extends Metric> = Readonly<Record<Of['labels'][number], string>>

/** Where measurements go. */
export type Measures = {
  readonly count: <Name extends CounterName>(
    counter: Name,
    labels: LabelsOf<(typeof counters)[Name]>,
    by?: number,
  ) => void
  readonly observe: <Name extends HistogramName>(
    histogram: Name,
    labels: LabelsOf<(typeof histograms)[Name]>,
    value: number,
  ) => void
}
