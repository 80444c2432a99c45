/** A worker that takes events from its queue and puts a row into a table for each. */
export type WorkerContender = {
  readonly key: string
  readonly title: string
  /** What it promises for the effect. */
  readonly promise: string
  readonly file: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly redis?: 'everysec' | 'always'
  /** Faster ones get more events, so that their run is long enough to be measured; slow ones get fewer. Default 1. */
  readonly eventsFactor?: number
  /** Left out of the quick form. */
  readonly isFullOnly?: true
}

/** https://worker.graphile.org/docs/performance: the settings of its own quick stats. */
const graphileBest = {
  concurrentJobs: 24,
  maxPoolSize: 25,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
}

export const graphileDefault: WorkerContender = {
  key: 'graphile-default',
  title: 'graphile-worker, default',
  promise: 'at least once',
  file: 'peers/graphile-worker.mjs',
  settings: {},
  eventsFactor: 0.25,
}

export const graphileWorker: WorkerContender = {
  key: 'graphile-best',
  title: 'graphile-worker, 24 at once, local queue, batched completion',
  promise: 'at least once',
  file: 'peers/graphile-worker.mjs',
  settings: graphileBest,
}

/** By default one job every two seconds. */
export const pgBossDefault: WorkerContender = {
  key: 'pg-boss-default',
  title: 'pg-boss, default (one every 2 s)',
  promise: 'at least once',
  file: 'peers/pg-boss.mjs',
  settings: { form: 'parallel', work: {} },
  eventsFactor: 0,
}

export const oncehookOwn: WorkerContender = {
  key: 'oncehook-own',
  title: 'Oncehook, default: a transaction each',
  promise: 'exactly once, each by itself',
  file: 'workers/oncehook.mjs',
  settings: { form: 'own' },
}

export const oncehookBatch: WorkerContender = {
  key: 'oncehook-batch',
  title: 'Oncehook, batch: 100, one statement for all',
  promise: 'exactly once, all or none',
  file: 'workers/oncehook.mjs',
  settings: { form: 'batch' },
  eventsFactor: 4,
}

/** What is left of Oncehook's batches if it were nothing but its statements. */
const bareBatch: WorkerContender = {
  key: 'bare-batch',
  title: 'bare statements: batches of 100, one statement for all',
  promise: 'exactly once, all or none',
  file: 'workers/bare-batch.mjs',
  settings: {},
  eventsFactor: 4,
  isFullOnly: true,
}

const pgBossBatches = { batchSize: 100, burstWhenBatchFull: true, localConcurrency: 2 }

export const workerContenders: readonly WorkerContender[] = [
  graphileDefault,
  graphileWorker,
  pgBossDefault,
  {
    key: 'pg-boss-parallel',
    title: 'pg-boss, 2 × batches of 100, jobs in parallel',
    promise: 'at least once',
    file: 'peers/pg-boss.mjs',
    settings: { form: 'parallel', work: pgBossBatches },
  },
  {
    key: 'pg-boss-transactional',
    title: 'pg-boss, transactional, 2 × batches of 50',
    promise: 'exactly once, all or none of a batch',
    file: 'peers/pg-boss.mjs',
    settings: { form: 'transactional', work: { ...pgBossBatches, batchSize: 50, transactional: true } },
  },
  {
    key: 'pg-boss-batch',
    title: 'pg-boss, transactional, 2 × batches of 100, one statement for all',
    promise: 'exactly once, all or none',
    file: 'peers/pg-boss.mjs',
    settings: { form: 'transactionalBatch', work: { ...pgBossBatches, transactional: true } },
    eventsFactor: 4,
  },
  {
    key: 'bullmq-everysec',
    title: 'BullMQ, 50 at once, Redis writes to disk every second',
    promise: 'at least once; a power cut loses a second',
    file: 'peers/bullmq.mjs',
    settings: { concurrency: 50 },
    redis: 'everysec',
  },
  {
    key: 'bullmq-always',
    title: 'BullMQ, 50 at once, Redis writes to disk always',
    promise: 'at least once',
    file: 'peers/bullmq.mjs',
    settings: { concurrency: 50 },
    redis: 'always',
  },
  bareBatch,
  oncehookOwn,
  {
    key: 'oncehook-shared',
    title: "Oncehook, commit: 'shared'",
    promise: 'exactly once, each by itself',
    file: 'workers/oncehook.mjs',
    settings: { form: 'shared' },
    eventsFactor: 2,
  },
  oncehookBatch,
]
